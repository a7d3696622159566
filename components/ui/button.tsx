import type { ComponentProps } from "react";
import { cn } from "./cn.ts";

const base =
  "inline-flex shrink-0 select-none items-center justify-center gap-1.5 border font-medium transition-colors duration-100 ease-out disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:shrink-0";

const variants = {
  primary: "border-transparent bg-ink text-on-ink hover:bg-ink/88 active:bg-ink/80",
  outline: "border-line-strong/50 bg-surface text-ink hover:border-line-strong hover:bg-hover",
  quiet: "border-transparent text-ink-2 hover:bg-hover hover:text-ink",
  danger: "border-transparent bg-failed text-canvas hover:bg-failed/90 dark:text-on-ink",
};

const sizes = {
  sm: "h-7 rounded-md px-2.5 text-sm [&_svg]:size-4",
  md: "h-8 rounded-md px-3 text-base [&_svg]:size-4",
  /** A pill that floats over a page. */
  pill: "h-7 rounded-full px-3 text-sm shadow-overlay [&_svg]:size-4",
  /** As tall as its text, which may have several lines. */
  block:
    "min-h-9 justify-start whitespace-normal rounded-md px-3.5 py-1.5 text-start text-base [&_svg]:size-4",
  icon: "size-8 rounded-md [&_svg]:size-4",
  tiny: "size-6 rounded-md [&_svg]:size-3.5",
};

interface Look {
  variant?: keyof typeof variants;
  size?: keyof typeof sizes;
}

/** The look of a button, for links that are to look like one. */
export function buttonClass({ variant = "outline", size = "md" }: Look = {}): string {
  return cn(base, variants[variant], sizes[size]);
}

/** A button. `className` is for its place among others; its look is a matter of the variants. */
export function Button({
  className,
  variant,
  size,
  type = "button",
  ...props
}: ComponentProps<"button"> & Look) {
  return (
    <button type={type} className={cn(buttonClass({ variant, size }), className)} {...props} />
  );
}
