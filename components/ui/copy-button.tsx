"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

/** Copies what `text` returns when it is pressed. */
export function CopyButton({
  text,
  label,
  className,
  isTabStop = true,
}: {
  text: () => string;
  label: string;
  className?: string;
  /** False where the same can be done by other keys. */
  isTabStop?: boolean;
}) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 1500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard
      .writeText(text())
      .then(() => setState("copied"))
      .catch(() => setState("failed"));
  const said =
    state === "copied" ? "Copied" : state === "failed" ? "Copying is not allowed here" : label;
  return (
    <Button
      variant="quiet"
      size="tiny"
      title={said}
      aria-label={said}
      className={className}
      tabIndex={isTabStop ? undefined : -1}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      {state === "copied" ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
    </Button>
  );
}
