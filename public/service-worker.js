/**
 * Shows notifications, also while no tab is open, and says so when the server cannot be reached. It
 * keeps nothing: what a page shows is always what the server said.
 */

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(
    Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]),
  );
});

self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(page(event));
});

self.addEventListener("push", (event) => {
  event.waitUntil(showUnlessSeen(event.data.json()));
});

self.addEventListener("message", (event) => {
  const { kind, notice, questionId } = event.data ?? {};
  if (kind === "notice") event.waitUntil(showUnlessSeen(notice));
  if (kind === "close") event.waitUntil(close(questionId));
});

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  const { notice } = notification.data;
  const chosen = action === "" ? undefined : notice.answers[Number(action)];
  event.waitUntil(chosen ? answer(notice, chosen) : open(notice));
});

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return new Response(notConnected, {
      status: 503,
      headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    });
  }
}

/** Whoever has the dashboard before their eyes sees the question there. */
async function showUnlessSeen(notice) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (windows.some(({ focused, visibilityState }) => focused && visibilityState === "visible")) {
    return;
  }
  await show(notice);
}

function show(notice, { title = notice.title, body = notice.body, answers = notice.answers } = {}) {
  return self.registration.showNotification(title, {
    body,
    // One for each question, whoever tells of it.
    tag: notice.questionId,
    data: { notice },
    icon: "/icons/icon-192.png",
    badge: "/icons/badge-96.png",
    requireInteraction: notice.urgency === "high",
    actions: answers.map(({ label }, i) => ({ action: String(i), title: label })),
  });
}

async function close(questionId) {
  const shown = await self.registration.getNotifications({ tag: questionId });
  for (const notification of shown) notification.close();
}

async function open({ taskId }) {
  const path = `/tasks/${taskId}`;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find(({ url }) => new URL(url).pathname === path);
  if (there) return there.focus();
  return self.clients.openWindow(path);
}

/** Answers as a page does. What did not count is said, and never passed over. */
async function answer(notice, chosen) {
  try {
    const { questionId } = notice;
    // Extends the session, or makes the one that pages have where nobody signs in.
    await post("/api/session");
    const response = await post("/api/trpc/questions.answer", {
      questionId,
      answer: chosen.answer,
    });
    if (response.ok) return;
    const { error } = await response.json();
    await show(notice, {
      title: "Your answer did not count",
      body: reason(error),
      answers: [],
    });
  } catch {
    await show(notice, {
      title: "Your answer was not sent",
      body: `The server cannot be reached. ${notice.body}`,
    });
  }
}

function post(path, body) {
  return fetch(path, {
    method: "POST",
    credentials: "same-origin",
    headers: body ? { "content-type": "application/json" } : {},
    body: body && JSON.stringify(body),
  });
}

function reason(error) {
  const { outcome, resolvedBy } = error.data?.details ?? {};
  const by = resolvedBy ? ` by ${resolvedBy.name}` : "";
  if (outcome === "answered") return `It was answered first${by}.`;
  if (outcome === "declined") return `It was declined first${by}.`;
  if (outcome === "timed_out") return "Its deadline has passed.";
  if (outcome === "cancelled") return "Its task was cancelled.";
  return error.message;
}

const notConnected = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="10">
<title>Not connected · toolthread</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100dvh; display: grid; place-content: center; gap: 4px; padding: 24px;
  font: 13px/20px system-ui, sans-serif; text-align: center;
  background: light-dark(#f9f8f6, #12110f); color: light-dark(#1c1a17, #edebe8); }
h1 { margin: 0; font-size: 18px; line-height: 26px; }
p { margin: 0; max-width: 44ch; opacity: 0.75; }
a { justify-self: center; margin-top: 12px; padding: 5px 12px; border-radius: 6px;
  border: 1px solid light-dark(#8d8a85, #6f6c67); color: inherit; text-decoration: none; }
</style>
</head>
<body>
<h1>Not connected</h1>
<p>The server cannot be reached. Nothing is shown here that may be old; this page looks again every ten
seconds.</p>
<a href="">Try now</a>
</body>
</html>`;
