import type { ReactNode } from "react";

/** Something to be said in passing, at the edge of the page. */
export interface Notice {
  /** A notice takes the place of an earlier one with its id. */
  id?: string;
  title: ReactNode;
  detail?: ReactNode;
  /** `bad`: something did not happen that was meant to; it stays until it is dismissed. */
  tone?: "plain" | "bad";
  action?: { label: ReactNode; run: () => void };
  /** Seconds it stays; infinite for as long as it is not dismissed. */
  seconds?: number;
}

/** Shows notices, once the library that does has come. */
export interface NoticeBoard {
  show(notice: Notice): void;
  dismiss(id: string): void;
}

let board: NoticeBoard | null = null;
let isWanted = false;
const waiting: ((board: NoticeBoard) => void)[] = [];
const listeners = new Set<() => void>();

function whenThere(work: (board: NoticeBoard) => void): void {
  if (board) {
    work(board);
    return;
  }
  waiting.push(work);
  isWanted = true;
  for (const listener of listeners) listener();
}

/** Says something in passing; what must not be missed belongs into the page. */
export function notify(notice: Notice): void {
  whenThere((there) => there.show(notice));
}

export function dismissNotice(id: string): void {
  if (isWanted) whenThere((there) => there.dismiss(id));
}

/** For the component that shows them. */
export const noticeBoard = {
  isWanted: () => isWanted,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** From now on this one shows them, what has been said so far first. */
  set(there: NoticeBoard | null): void {
    board = there;
    if (there) for (const work of waiting.splice(0)) work(there);
  },
};
