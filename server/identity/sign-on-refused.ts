import type { SignOnRefusal } from "../core/sign-on.ts";

/** Ends an attempt to sign in at a provider. */
export class SignOnRefused extends Error {
  readonly reason: SignOnRefusal;
  /** Where they wanted to go, a path. */
  readonly next: string;

  constructor(reason: SignOnRefusal, next = "/") {
    super(reason);
    this.name = "SignOnRefused";
    this.reason = reason;
    this.next = next;
  }
}
