"use client";

import { Suspense, useId, useState } from "react";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { hasMarkdown, isLong } from "./prompt-shape.ts";

const Markdown = lazyPart(() => import("./markdown.tsx"));

/** A question's prompt as safe Markdown, folded when it is long. */
export function PromptText({ prompt, className }: { prompt: string; className?: string }) {
  const long = isLong(prompt);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const isFolded = long && !isOpen;
  return (
    <div className={cn("max-w-[72ch]", className)}>
      <div
        id={id}
        className={cn(
          isFolded &&
            "max-h-56 overflow-hidden [mask-image:linear-gradient(black_70%,transparent)]",
        )}
      >
        {hasMarkdown(prompt) ? (
          // The text is there at once; how it is set follows when the parser has come.
          <Suspense fallback={<div className="task-text">{prompt}</div>}>
            <Markdown text={prompt} />
          </Suspense>
        ) : (
          <div className="task-text">{prompt}</div>
        )}
      </div>
      {long && (
        <Button
          size="sm"
          variant="quiet"
          className="-ml-2.5 mt-1"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Show less" : `Show all (${prompt.length.toLocaleString("en-GB")} characters)`}
        </Button>
      )}
    </div>
  );
}
