import { noteServerDate } from "../time/server-clock.ts";

// Seconds without an answer after which a request is sent once more, how many at most, and when all
// are given up. A browser sends on connections that died in silence, after a sleep for example, until
// each of them has a request hanging on it.
const againSeconds = 1.5;
const maxRequests = 6;
const giveUpSeconds = 15;

interface Answer {
  status: number;
  person: string | null;
}

let opening: Promise<void> | null = null;
let isLeaving = false;
/** Whose session this page began with; null where nobody signs in. */
let person: string | null | undefined;

/**
 * Makes sure that this browser has a session, and says so to the server, which extends it. Done once
 * per page load, and again after {@link forgetSession}. Whoever has none any more is sent to sign in;
 * a page of somebody who is not signed in any more, because somebody else is, begins anew.
 */
export function openSession(): Promise<void> {
  opening ??= open().catch((error: unknown) => {
    opening = null;
    throw error;
  });
  return opening;
}

/** The next call opens the session anew: after an UNAUTHORIZED, or a reconnect to a new server. */
export function forgetSession(): void {
  opening = null;
}

/** Whether the end of the session is wanted here: it is then no reason to ask for another one. */
export function setLeaving(leaves: boolean): void {
  isLeaving = leaves;
}

async function open(): Promise<void> {
  const answer = await firstAnswer();
  if (answer.status === 200) {
    if (person !== undefined && person !== answer.person) location.reload();
    person = answer.person;
    return;
  }
  if (answer.status === 401 && !isLeaving) {
    const query = new URLSearchParams({ next: location.pathname + location.search, ended: "" });
    location.replace(`/sign-in?${query}`);
  }
  throw new Error(`The server did not open a session (HTTP ${answer.status}).`);
}

function firstAnswer(): Promise<Answer> {
  const controller = new AbortController();
  const timers: ReturnType<typeof setTimeout>[] = [];
  const answered = new Promise<Answer>((resolve, reject) => {
    let underWay = 0;
    const send = () => {
      underWay += 1;
      post(controller.signal).then(resolve, (error: unknown) => {
        underWay -= 1;
        if (underWay === 0) reject(error);
      });
    };
    send();
    for (let i = 1; i < maxRequests; i++) timers.push(setTimeout(send, i * againSeconds * 1000));
    timers.push(setTimeout(() => controller.abort(), giveUpSeconds * 1000));
  });
  return answered.finally(() => {
    timers.forEach(clearTimeout);
    controller.abort();
  });
}

async function post(signal: AbortSignal): Promise<Answer> {
  const sentAt = Date.now();
  const response = await fetch("/api/session", {
    method: "POST",
    credentials: "same-origin",
    signal,
  });
  noteServerDate(response.headers.get("date"), sentAt, Date.now());
  const body = (await response.json().catch(() => ({}))) as { id?: string };
  return { status: response.status, person: body.id ?? null };
}
