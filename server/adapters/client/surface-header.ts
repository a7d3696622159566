const name = "toolthread-surface";

/** What the command line sends with every request. */
export const commandLineHeaders = { [name]: "cli" };

/** Whether a request says that it comes from the command line: shown to people, and nothing hangs on it. */
export function isCommandLine(headers: Headers): boolean {
  return headers.get(name) === commandLineHeaders[name];
}
