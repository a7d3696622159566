import type { ReactNode } from "react";
import { Logo } from "../shell/logo.tsx";

/** The page of somebody who is not in yet: one card, and nothing to be distracted by. */
export function EntryFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-5 px-4 py-10">
      <p className="flex items-center gap-2 font-semibold text-lg">
        <Logo className="size-5" />
        toolthread
      </p>
      <div className="rounded-lg border bg-surface p-5">
        <h1 className="mb-4 font-semibold text-xl">{title}</h1>
        {children}
      </div>
    </main>
  );
}
