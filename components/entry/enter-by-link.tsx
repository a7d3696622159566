"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { FieldError } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AuthRefusal, authCall } from "./auth-call.ts";
import { EntryFrame } from "./entry-frame.tsx";

interface Link {
  kind: "set_up" | "invite" | null;
  email?: string | null;
  role?: string;
}

const looks = {
  set_up: {
    title: "Make the first admin",
    text: "This account manages people, agent keys and settings.",
    path: "set-up",
  },
  invite: { title: "You are invited", text: "", path: "accept-invite" },
};

/** Makes the account that a link promises. Its token stands behind the hash of the address. */
export function EnterByLink({ kind }: { kind: "set_up" | "invite" }) {
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    const read = () => setToken(location.hash.slice(1));
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  const link = useQuery({
    queryKey: ["link", token],
    queryFn: () =>
      token === "" ? Promise.resolve<Link>({ kind: null }) : authCall<Link>("link", { token }),
    enabled: token !== null,
    retry: false,
  });
  const { title } = looks[kind];
  if (link.isError) {
    return (
      <EntryFrame title={title}>
        <FieldError>{link.error.message}</FieldError>
      </EntryFrame>
    );
  }
  if (!link.data) {
    return (
      <EntryFrame title={title}>
        <Skeleton className="h-40" />
      </EntryFrame>
    );
  }
  if (link.data.kind !== kind) return <NoSuchLink kind={kind} />;
  return <EntrantForm kind={kind} token={token ?? ""} link={link.data} />;
}

function NoSuchLink({ kind }: { kind: "set_up" | "invite" }) {
  return (
    <EntryFrame title="This link does not work">
      <p className="text-ink-2">
        It was used already, has expired, or was not copied whole.{" "}
        {kind === "set_up"
          ? "If nobody can sign in yet, start the server again: it prints another one."
          : "Ask an admin for another one."}
      </p>
      <p className="mt-3">
        <a href="/sign-in" className="text-link underline">
          Sign in
        </a>
      </p>
    </EntryFrame>
  );
}

function EntrantForm({
  kind,
  token,
  link,
}: {
  kind: "set_up" | "invite";
  token: string;
  link: Link;
}) {
  const { title, text, path } = looks[kind];
  const [name, setName] = useState("");
  const [email, setEmail] = useState(link.email ?? "");
  const [password, setPassword] = useState("");
  const enter = useMutation({
    mutationFn: () => authCall(path, { token, name, email, password }),
    onSuccess: () => location.replace("/"),
  });
  const issues = enter.error instanceof AuthRefusal ? enter.error.issues : [];
  const issueOf = (field: string) => issues.find(({ path }) => path === field)?.message;
  const isBusy = enter.isPending || enter.isSuccess;
  return (
    <EntryFrame title={title}>
      <p className="mb-4 text-ink-2">{text || `You will be ${article(link.role)} here.`}</p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) enter.mutate();
        }}
      >
        <Field
          label="Name"
          name="name"
          autoComplete="name"
          autoFocus
          required
          maxLength={100}
          value={name}
          error={issueOf("name")}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          error={issueOf("email")}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label="Password"
          type="password"
          name="password"
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={128}
          hint="10 characters or more"
          value={password}
          error={issueOf("password")}
          onChange={(event) => setPassword(event.target.value)}
        />
        {enter.error && issues.length === 0 && <FieldError>{enter.error.message}</FieldError>}
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? "One moment…" : "Make the account"}
        </Button>
      </form>
    </EntryFrame>
  );
}

function article(role = "viewer"): string {
  return role === "viewer" ? `a ${role}` : `an ${role}`;
}
