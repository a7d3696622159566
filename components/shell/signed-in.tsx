"use client";

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { meQuery } from "../api/me.ts";

const parts = {
  // Loaded only where people sign in.
  admin: lazy(() => import("./admin-links.tsx")),
  user: lazy(() => import("./user-link.tsx")),
};

/** A part of the frame that is about who is signed in; nothing where nobody signs in. */
export function SignedIn({
  part,
  layout,
}: {
  part: keyof typeof parts;
  layout: "column" | "icon";
}) {
  const { data } = useQuery(meQuery);
  if (!data?.signIn) return null;
  const Part = parts[part];
  return (
    <Suspense>
      <Part layout={layout} />
    </Suspense>
  );
}
