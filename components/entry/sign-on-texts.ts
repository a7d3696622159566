import type { SignOnRefusal } from "@/server/core/sign-on.ts";

const texts: Readonly<Record<SignOnRefusal, string>> = {
  unavailable: "The sign-in service cannot be reached. Try again, or sign in another way.",
  too_many_attempts: "Too many attempts failed from here. Try again in a quarter of an hour.",
  expired: "This attempt took too long, or was begun in another browser. Try again.",
  cancelled: "You did not agree to sign in there.",
  failed:
    "What the sign-in service answered cannot be used. Try again; an admin finds more in the log.",
  email_missing:
    "The sign-in service did not tell your e-mail address, by which you are known here.",
  email_not_verified:
    "The sign-in service has not verified that your e-mail address is yours. Verify it there first.",
  not_invited: "Nobody here has invited this e-mail address. Ask an admin for an invite.",
  not_set_up:
    "This server has no admin yet. Make the first one with the link it printed at its start.",
  has_account:
    "Somebody with this e-mail address signs in here already. Sign in as you do, then connect the two under “Your account”.",
  shut_out: "You may not sign in here any more.",
  other_person: "You were signed out meanwhile. Sign in, and connect it again.",
  connected_elsewhere: "This account is connected with somebody else here.",
};

/** Why single sign-on let somebody not in, in words; null for a code that is none. */
export function signOnText(refusal: string | null): string | null {
  return refusal !== null && Object.hasOwn(texts, refusal) ? texts[refusal as SignOnRefusal] : null;
}
