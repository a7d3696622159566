import type { ComponentProps } from "react";
import { Input } from "./input.tsx";

/**
 * A masked field. The browser neither fills in a saved password, which would be the one of this
 * page, nor keeps what is typed for when the page is restored.
 */
export function SecretInput(props: Omit<ComponentProps<typeof Input>, "type">) {
  return (
    <Input
      {...props}
      type="password"
      dir="ltr"
      autoComplete="new-password"
      autoCapitalize="off"
      spellCheck={false}
      data-1p-ignore
      data-lpignore="true"
    />
  );
}
