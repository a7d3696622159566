"use client";

import { ChevronRight } from "lucide-react";
import { Suspense } from "react";
import type { JsonValue } from "@/server/core/json.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const JsonViewer = lazyPart(() => import("../json/json-viewer.tsx"));

/** What the handler gave beside its prompt. */
export function QuestionContext({ context }: { context: JsonValue }) {
  if (context === null) return null;
  return (
    <details className="group max-w-[72ch] rounded-md border">
      <summary className="flex h-8 items-center px-3 text-ink-2 text-sm hover:text-ink">
        <ChevronRight
          aria-hidden="true"
          className="mr-1.5 size-3.5 text-ink-3 group-open:rotate-90"
        />
        Context
      </summary>
      <Suspense fallback={null}>
        <JsonViewer value={context} label="Context" />
      </Suspense>
    </details>
  );
}
