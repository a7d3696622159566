"use client";

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { queries } from "../api/queries.ts";

// Loaded only where people sign in.
const Part = lazy(() => import("./signed-in-part.tsx"));

/** A part of the frame that is about who is signed in; nothing where nobody signs in. */
export function SignedIn({ part }: { part: "admin" | "user" | "user-icon" }) {
  return (
    useQuery(queries.me()).data?.signIn && (
      <Suspense>
        <Part part={part} />
      </Suspense>
    )
  );
}
