import type { ComponentProps } from "react";
import { cn } from "./cn.ts";

// 16 px on touch screens, below which iOS zooms the page in on focus.
const field =
  "w-full rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink pointer-coarse:text-[1rem] aria-invalid:border-failed-solid disabled:opacity-60";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input dir="auto" className={cn(field, "h-8", className)} {...props} />;
}

export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      dir="auto"
      className={cn(field, "field-sizing-content max-h-96 min-h-16 py-1.5", className)}
      {...props}
    />
  );
}

export function Select({ className, ...props }: ComponentProps<"select">) {
  return <select className={cn(field, "h-8 pr-1", className)} {...props} />;
}

/** The look of a native checkbox or radio button, in the page's ink. */
export const checkClass = "size-4 shrink-0 accent-ink";
