"use client";

import { Check, Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button, buttonClass } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";

const saidMillis = 2000;

/** Copies, downloads or prints the whole timeline, however long it is. */
export function ExportMenu({ taskId, onPrint }: { taskId: string; onPrint: () => Promise<void> }) {
  const [isOpen, setOpen] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), saidMillis);
    return () => clearTimeout(timer);
  }, [said]);

  const url = (format: string) =>
    `/api/v1/tasks/${encodeURIComponent(taskId)}/timeline?format=${format}`;
  const copy = (format: string) => {
    setOpen(false);
    copyFrom(url(format)).then(
      () => setSaid("Copied"),
      () => setSaid("Copying did not work; download it instead"),
    );
  };
  const item = cn(buttonClass({ variant: "quiet", size: "sm" }), "justify-start");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: closes what is inside it, which has the roles
    <div
      ref={menu}
      className="relative"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
        menu.current?.querySelector("button")?.focus();
      }}
      onBlur={(event) => {
        if (!menu.current?.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <Button
        variant="quiet"
        size="sm"
        aria-expanded={isOpen}
        title="Copy, download or print the timeline"
        onClick={() => setOpen(!isOpen)}
      >
        {said === "Copied" ? <Check aria-hidden="true" /> : <Download aria-hidden="true" />}
        <span className={said === null ? "max-sm:sr-only" : ""}>{said ?? "Export"}</span>
      </Button>
      <span role="status" className="sr-only">
        {said}
      </span>
      {isOpen && (
        <div className="absolute top-full right-0 z-30 mt-1 flex w-44 flex-col rounded-lg border bg-surface p-1 shadow-overlay">
          <button type="button" className={item} onClick={() => copy("text")}>
            Copy as text
          </button>
          <button type="button" className={item} onClick={() => copy("json")}>
            Copy as JSON
          </button>
          <a className={item} href={url("text")} download onClick={() => setOpen(false)}>
            Download as text
          </a>
          <a className={item} href={url("json")} download onClick={() => setOpen(false)}>
            Download as JSON
          </a>
          <button
            type="button"
            className={item}
            onClick={() => {
              setOpen(false);
              onPrint().catch(() => setSaid("Could not be loaded"));
            }}
          >
            Print the task
          </button>
        </div>
      )}
    </div>
  );
}

/** The clipboard is asked for while the click still counts as a wish; the text may come later. */
function copyFrom(url: string): Promise<void> {
  const text = fetch(url, { credentials: "same-origin" }).then((response) => {
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return response.blob();
  });
  const item = new ClipboardItem({
    "text/plain": text.then((blob) => new Blob([blob], { type: "text/plain" })),
  });
  return navigator.clipboard.write([item]);
}
