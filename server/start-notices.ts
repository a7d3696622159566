import type { Settings } from "./env.ts";

/** Tells how the first admin comes in; empty when somebody is. */
export function setUpNotice(url: string, token: string | null): string {
  if (token === null) return "";
  // Behind the hash, which browsers keep to themselves: it gets into no log on the way.
  return `Nobody can sign in yet. Open this link, which works once, to make the first admin:\n\n  ${url}/set-up#${token}\n\n`;
}

/** Says loudly that everybody is let in; empty when nobody is. */
export function openNotice({ auth, host }: Pick<Settings, "auth" | "host">): string {
  if (auth !== "none") return "";
  const line = "!".repeat(78);
  return (
    `${line}\n` +
    `TOOLTHREAD_AUTH=none: nobody signs in. Every program and every user of this machine that can\n` +
    `reach ${host} may start tasks and answer as the operator. Do not forward this port.\n` +
    `${line}\n`
  );
}
