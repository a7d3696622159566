import type { BrowserContext, Page, Worker } from "@playwright/test";
import { expect, test } from "./dashboard-test.ts";

test.use({ permissions: ["notifications"] });

async function workerOf(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
}

/** What the tests use of a service worker's globals. */
interface WorkerScope extends EventTarget {
  registration: {
    getNotifications(filter?: {
      tag: string;
    }): Promise<(Notification & { actions: { title: string }[] })[]>;
  };
  clients: { matchAll(): Promise<unknown[]> };
  NotificationEvent: new (type: string, init: { notification: unknown; action: string }) => Event;
  held: Notification[];
}

interface Shown {
  title: string;
  body: string;
  tag: string;
  actions: string[];
}

/** The notifications that stand on the screen. */
function shown(worker: Worker): Promise<Shown[]> {
  return worker.evaluate(async () => {
    const { registration } = globalThis as unknown as WorkerScope;
    const all = await registration.getNotifications();
    return all.map(({ title, body, tag, actions }) => ({
      title,
      body,
      tag,
      actions: actions.map(({ title }) => title),
    }));
  });
}

/** Presses a button of the one notification with this tag; the notification itself when none is named. */
async function press(worker: Worker, tag: string, action = ""): Promise<void> {
  await worker.evaluate(
    async ([tag, action]) => {
      const scope = globalThis as unknown as WorkerScope;
      const [notification] = await scope.registration.getNotifications({ tag });
      scope.dispatchEvent(
        new scope.NotificationEvent("notificationclick", { notification, action }),
      );
    },
    [tag, action] as const,
  );
}

/** Browsers under test believe that every tab is looked at; this one is told that none is. */
async function lookAway(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const { clients } = globalThis as unknown as WorkerScope;
    clients.matchAll = async () => [];
  });
}

async function turnOn(page: Page, name: string): Promise<void> {
  await page.goto("/notifications");
  await page.getByRole("checkbox", { name, exact: true }).check();
}

test("one notification for a question, with its answers as buttons; a late answer says that it lost", async ({
  page,
  context,
  agent,
}) => {
  test.setTimeout(60_000);
  await turnOn(page, "Notifications of the system");
  const other = await context.newPage();
  await other.goto("/");
  await expect(other.locator("[data-connection=live]:visible")).toBeVisible();
  const worker = await workerOf(context);

  // Whoever looks at the dashboard is not told twice.
  const seen = await agent.start("ask", { what: "one" });
  await expect(other.getByRole("button", { name: "yes" })).toBeVisible();
  expect(await shown(worker)).toEqual([]);
  await agent.cancel(seen);

  await lookAway(worker);
  const first = await agent.question(await agent.start("ask", { what: "one" }));
  await expect.poll(() => shown(worker)).toHaveLength(1);
  expect(await shown(worker)).toEqual([
    {
      title: "ask asks",
      body: "Proceed with the release?",
      tag: first.questionId,
      actions: ["yes", "no"],
    },
  ]);
  await press(worker, first.questionId, "0");
  expect((await agent.result(first.taskId)).result).toMatchObject([{ answer: "yes" }]);
  await expect.poll(() => shown(worker)).toEqual([]);

  // Answered elsewhere: it goes by itself, and whoever pressed all the same is told.
  const second = await agent.question(await agent.start("ask", { what: "one" }));
  await expect.poll(() => shown(worker)).toHaveLength(1);
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    return scope.registration.getNotifications().then((all) => {
      scope.held = all;
    });
  });
  await agent.answer(second.questionId, "no");
  await expect.poll(() => shown(worker)).toEqual([]);
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    const [notification] = scope.held as [Notification];
    scope.dispatchEvent(
      new scope.NotificationEvent("notificationclick", { notification, action: "0" }),
    );
  });
  await expect.poll(() => shown(worker)).toMatchObject([{ title: "Your answer did not count" }]);
  expect((await agent.result(second.taskId)).result).toMatchObject([{ answer: "no" }]);
});

test("a push message is shown while no page is open, and its button answers", async ({
  page,
  context,
  agent,
  server,
}) => {
  await page.goto("/");
  const worker = await workerOf(context);
  await lookAway(worker);
  const cdp = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(server.url));
      if (ours) resolve(ours.registrationId);
    });
  });
  await cdp.send("ServiceWorker.enable");
  const registrationId = await registered;
  const question = await agent.question(await agent.start("ask", { what: "one" }));
  const { questionId, taskId } = question;
  const notice = {
    questionId,
    taskId,
    title: "ask asks",
    body: "Proceed?",
    urgency: "normal",
    answers: [
      { label: "yes", answer: "yes" },
      { label: "no", answer: "no" },
    ],
  };
  await cdp.send("ServiceWorker.deliverPushMessage", {
    origin: server.url,
    registrationId,
    data: JSON.stringify(notice),
  });
  await expect.poll(() => shown(worker)).toMatchObject([{ title: "ask asks", body: "Proceed?" }]);
  await press(worker, questionId, "1");
  expect((await agent.result(taskId)).result).toMatchObject([{ answer: "no" }]);
  await expect.poll(() => shown(worker)).toEqual([]);
});

test("the number waiting is in title and icon, unless that is switched off", async ({
  page,
  agent,
}) => {
  await page.goto("/");
  await agent.start("ask", { what: "one" });
  await expect(page).toHaveTitle(/^\(1\) /);
  await expect(page.locator("link[data-badge='1']")).toHaveCount(1);
  await page.getByRole("link", { name: "Notifications" }).first().click();
  await page.getByRole("checkbox", { name: "Number in the tab" }).uncheck();
  await expect(page).toHaveTitle(/^Notifications/);
  await expect(page.locator("link[data-badge]")).toHaveCount(0);
});

test("a page that cannot be fetched says so, and shows nothing that may be old", async ({
  page,
  context,
}) => {
  await page.goto("/");
  await workerOf(context);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  await context.setOffline(true);
  await page.goto("/tasks").catch(() => {});
  await expect(page.getByRole("heading", { name: "Not connected" })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole("link", { name: "Try now" }).click();
  await expect(page.getByRole("heading", { name: "Tasks" })).toBeVisible();
});
