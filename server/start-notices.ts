import type { Settings } from "./env.ts";

const width = 78;

/** Tells how the first admin comes in; empty when somebody is. */
export function setUpNotice(url: string, token: string | null): string {
  if (token === null) return "";
  const line = "=".repeat(width);
  return (
    `\n${line}\n\n` +
    "  Nobody can sign in yet. Open this link to make the first account, an admin's:\n\n" +
    // Behind the hash, which browsers keep to themselves: it gets into no log on the way.
    `    ${url}/set-up#${token}\n\n` +
    "  It works once. Until somebody has used it, each start prints another one.\n" +
    `\n${line}\n\n`
  );
}

/** Says loudly that everybody is let in; empty when nobody is. */
export function openNotice({ auth, host }: Pick<Settings, "auth" | "host">): string {
  if (auth !== "none") return "";
  const line = "!".repeat(width);
  return (
    `${line}\n` +
    `TOOLTHREAD_AUTH=none: nobody signs in. Every program and every user of this machine that can\n` +
    `reach ${host} may start tasks and answer as the operator. Do not forward this port.\n` +
    `${line}\n`
  );
}
