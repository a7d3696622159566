/** Where answering begins. */
const firstControl =
  "textarea, select, input:not([type=hidden]), button[type=submit], button:not([aria-expanded])";

/** Puts the focus where the question that is being read is answered. */
export function focusAnswer(): void {
  const answer = document.querySelector("[data-detail] [data-answer]");
  answer?.querySelector<HTMLElement>(firstControl)?.focus();
}
