"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleUser } from "lucide-react";
import { queries } from "../api/queries.ts";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";
import { SignOutButton } from "./sign-out-button.tsx";

/** Who is signed in, with the way out; nothing where nobody signs in. */
export function UserLink({ layout }: { layout: "column" | "icon" }) {
  const { data } = useQuery(queries.me());
  if (!data?.signIn) return null;
  const { name } = data.actor;
  return (
    <div className={cn("flex items-center", layout === "column" && "gap-1")}>
      <IntentLink
        href="/account"
        title="Your account"
        className="flex h-8 min-w-0 flex-1 items-center gap-2.5 rounded-md px-2 text-ink-2 hover:bg-hover hover:text-ink"
      >
        <CircleUser className="size-4 shrink-0" aria-hidden="true" />
        <bdi className={layout === "column" ? "truncate" : "sr-only"}>{name}</bdi>
      </IntentLink>
      {layout === "column" && <SignOutButton isIcon />}
    </div>
  );
}
