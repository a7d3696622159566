import type { Role } from "./permission.ts";

/** An OpenID Connect provider at which people may sign in, and who of them is let in. */
export interface SignOnSettings {
  /** Where its discovery document is, without `/.well-known/…`. */
  issuer: string;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  /** What to ask for, separated by spaces. */
  scopes: string;
  /** What the button says. */
  name: string;
  /** The role of somebody new; null lets in only who was invited. */
  role: Role | null;
  /** The claim with the names of a person's groups; null to leave groups to the admins here. */
  groupsClaim: string | null;
}

/** Why single sign-on lets somebody not in. Pages have words for each. */
export type SignOnRefusal =
  | "unavailable"
  | "too_many_attempts"
  | "expired"
  | "cancelled"
  | "failed"
  | "email_missing"
  | "email_not_verified"
  | "not_invited"
  | "not_set_up"
  | "has_account"
  | "shut_out"
  | "other_person"
  | "connected_elsewhere";
