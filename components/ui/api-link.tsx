import { buttonClass } from "./button.tsx";
import { IntentLink } from "./intent-link.tsx";

/** The way to what a program can call, for whoever writes one. */
export function ApiLink() {
  return (
    <IntentLink href="/docs/api" className={buttonClass({ variant: "quiet", size: "sm" })}>
      API reference
    </IntentLink>
  );
}
