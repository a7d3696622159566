"use client";

import { useMutation } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { FieldError } from "../ui/notice.tsx";
import { authCall } from "./auth-call.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { OtherWays, useSignOn } from "./other-ways.tsx";
import { pathAfterSignIn } from "./path-after-sign-in.ts";

const never = () => () => {};

/** The way in. Says why one stands before it where a session has ended. */
export function SignIn() {
  // The server makes this page once, for everybody.
  const hasEnded = useSyncExternalStore(
    never,
    () => new URLSearchParams(location.search).has("ended"),
    () => false,
  );
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    mutationFn: () => authCall("sign-in", { email, password }),
    onSuccess: () => {
      const next = new URLSearchParams(location.search).get("next");
      // A full load: nothing that was fetched before is kept.
      location.replace(pathAfterSignIn(next));
    },
  });
  const signOn = useSignOn();
  const isBusy = signIn.isPending || signIn.isSuccess || signOn.isBusy;
  return (
    <EntryFrame title="Sign in">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) signIn.mutate();
        }}
      >
        {hasEnded && (
          <p role="status" className="rounded-md bg-waiting-tint px-3 py-2 text-waiting">
            Your session has ended. Sign in to go on where you were.
          </p>
        )}
        <Field
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {signIn.error && <FieldError>{signIn.error.message}</FieldError>}
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? "Signing in…" : "Sign in"}
        </Button>
      </form>
      <OtherWays signOn={signOn} isBusy={isBusy} />
    </EntryFrame>
  );
}
