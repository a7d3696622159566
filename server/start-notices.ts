import type { Settings } from "./env.ts";

/** Tells how the first admin comes in; empty when somebody is. */
export function setUpNotice(url: string, token: string | null): string {
  if (token === null) return "";
  // Behind the hash, which browsers keep to themselves: it gets into no log on the way.
  return `Nobody can sign in yet. Open this link, which works once, to make the first admin:\n\n  ${url}/set-up#${token}\n\n`;
}

/** Says that everybody is let in, loudly where that was asked for; empty when nobody is. */
export function openNotice(settings: Pick<Settings, "auth" | "host" | "isAuthChosen">): string {
  const { auth, host, isAuthChosen } = settings;
  if (auth !== "none") return "";
  if (!isAuthChosen) {
    return (
      `Nobody signs in: only this machine can reach ${host}, and whoever is on it is the operator.\n` +
      "TOOLTHREAD_AUTH=sign-in asks for people and keys here too, as any other HOST does.\n"
    );
  }
  const line = "!".repeat(78);
  return (
    `${line}\n` +
    `TOOLTHREAD_AUTH=none: nobody signs in. Every program and every user of this machine that can\n` +
    `reach ${host} may start tasks and answer as the operator. Do not forward this port.\n` +
    `${line}\n`
  );
}
