import type { QuestionNotice } from "@/server/core/question-notice.ts";

/** Installs the worker that shows notifications, also later, when no tab is open. */
export async function serviceWorker(): Promise<ServiceWorkerRegistration | null> {
  // Only `localhost` and pages over TLS may have one.
  if (!("serviceWorker" in navigator)) return null;
  try {
    await navigator.serviceWorker.register("/service-worker.js");
    return await navigator.serviceWorker.ready;
  } catch {
    return null;
  }
}

/** Notifies of a question, unless a tab of ours is before somebody's eyes. */
export async function showNotice(notice: QuestionNotice): Promise<void> {
  const worker = await serviceWorker();
  worker?.active?.postMessage({ kind: "notice", notice });
}

/** Takes a question's notification away: there is nothing to answer any more. */
export async function closeNotice(questionId: string): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  worker?.active?.postMessage({ kind: "close", questionId });
}
