"use client";

import { useEffect, useState } from "react";
import { isJsonObject, type JsonValue } from "@/server/core/json.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { readDraft } from "./drafts.ts";

/** What somebody had typed for a question that somebody else has answered: there to be copied. */
export function TypedBefore({ questionId }: { questionId: string }) {
  const [text, setText] = useState("");
  // Not before the form, which has just left, has stored the last of it.
  useEffect(() => setText(textOf(readDraft(questionId))), [questionId]);
  if (text === "") return null;
  return (
    <div className="mt-2 rounded-md border bg-surface">
      <div className="flex items-center justify-between border-b py-0.5 pr-1 pl-3">
        <h3 className="text-ink-2 text-sm">What you had typed</h3>
        <CopyButton text={() => text} label="Copy what you had typed" />
      </div>
      <p className="task-text max-h-40 overflow-y-auto px-3 py-2">{text}</p>
    </div>
  );
}

function textOf(draft: JsonValue): string {
  if (draft === null) return "";
  if (typeof draft === "string") return draft;
  if (isJsonObject(draft) && typeof draft.text === "string") return draft.text;
  const value = isJsonObject(draft) && "draft" in draft ? (draft.draft ?? null) : draft;
  return Array.isArray(value) ? value.join("\n") : JSON.stringify(value, null, 2);
}
