import type { ComponentProps } from "react";
import { cn } from "./cn.ts";

// 16 px on touch screens, below which iOS zooms the page in on focus.
const field =
  "rounded-md border border-line-strong bg-surface text-ink pointer-coarse:text-[1rem] aria-invalid:border-failed-solid disabled:opacity-60";

const plain = "h-8 w-full px-2.5 text-base";
/** For bars of controls. */
const dense = "h-7 px-2.5 text-sm";

interface Dense {
  isDense?: boolean;
}

export function Input({ className, isDense, ...props }: ComponentProps<"input"> & Dense) {
  return <input dir="auto" className={cn(field, isDense ? dense : plain, className)} {...props} />;
}

export function Select({ className, isDense, ...props }: ComponentProps<"select"> & Dense) {
  return <select className={cn(field, isDense ? dense : plain, className)} {...props} />;
}

/** Grows with its text, up to a point. `isCode`: JSON and the like. */
export function Textarea({
  className,
  isCode,
  ...props
}: ComponentProps<"textarea"> & { isCode?: boolean }) {
  const code = isCode && {
    dir: "ltr",
    spellCheck: false,
    autoComplete: "off",
    autoCapitalize: "off",
  };
  return (
    <textarea
      dir="auto"
      {...code}
      className={cn(
        field,
        "field-sizing-content max-h-96 w-full px-2.5 py-1.5",
        isCode ? "min-h-32 font-mono text-sm" : "min-h-16 text-base",
        className,
      )}
      {...props}
    />
  );
}

/** The look of a checkbox or radio button, in the page's ink: empty ones are empty in the dark too. */
export const checkClass = "check-box size-4 shrink-0";
