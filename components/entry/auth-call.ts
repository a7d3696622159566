import type { FieldIssue } from "../api/api-error.ts";

/** Why signing in and the like was refused. */
export class AuthRefusal extends Error {
  readonly issues: readonly FieldIssue[];

  constructor(message: string, issues: readonly FieldIssue[] = []) {
    super(message);
    this.issues = issues;
  }
}

/** Calls one of the routes by which people come and go. @throws AuthRefusal */
export async function authCall<T>(path: string, body: object): Promise<T> {
  const response = await fetch(`/api/auth/${path}`, {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (!response) throw new AuthRefusal("The server cannot be reached. Try again.");
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer as T;
  throw new AuthRefusal(answer.detail ?? `HTTP ${response.status}`, answer.details?.issues ?? []);
}
