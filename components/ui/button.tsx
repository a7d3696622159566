import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "./cn.ts";

export const buttonVariants = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-1.5 rounded-md border font-medium transition-colors duration-100 ease-out disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "border-transparent bg-ink text-on-ink hover:bg-ink/88 active:bg-ink/80",
        outline:
          "border-line-strong/50 bg-surface text-ink hover:border-line-strong hover:bg-hover",
        quiet: "border-transparent text-ink-2 hover:bg-hover hover:text-ink",
        danger: "border-transparent bg-failed text-canvas hover:bg-failed/90 dark:text-on-ink",
      },
      size: {
        sm: "h-7 px-2.5 text-sm",
        md: "h-8 px-3 text-base",
        icon: "size-8",
      },
    },
    defaultVariants: { variant: "outline", size: "md" },
  },
);

export type ButtonProps = ComponentProps<"button"> & VariantProps<typeof buttonVariants>;

export function Button({ className, variant, size, type = "button", ...props }: ButtonProps) {
  return (
    <button type={type} className={cn(buttonVariants({ variant, size }), className)} {...props} />
  );
}
