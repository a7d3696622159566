import { z } from "zod";

/**
 * Task types for the browser tests, loaded by the server under test through TOOLTHREAD_TASKS. Each
 * makes one thing happen that a page has to show well.
 */

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

export const hostile =
  '<img src=x onerror="window.__hacked=1"><script>window.__hacked=2</script>' +
  '<svg onload="window.__hacked=3">[click](javascript:window.__hacked=4) ' +
  "![i](https://tracker.invalid/p.png) </textarea></style>";

const rightToLeft = "مرحبا، هل نتابع النشر؟ שלום עולם";

const longPrompt = [
  "# Which of these should I keep?",
  ...Array.from(
    { length: 60 },
    (_, i) =>
      `${i + 1}. **Record ${i + 1}** has \`${"x".repeat(20)}\` and was last used on day ${i}; ` +
      "its owner has not answered in a while, and nothing refers to it any more. ",
  ),
  "",
  `${"unbroken".repeat(300)} 😀🧵👩‍👩‍👧‍👦 end`,
].join("\n");

const register = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", minLength: 3, description: "At least three letters." },
    count: { type: "integer", title: "How many", minimum: 1, maximum: 9 },
    ratio: { type: "number", title: "Ratio" },
    urgent: { type: "boolean", title: "Urgent" },
    colour: { enum: ["red", "green", "blue"], title: "Colour" },
    tags: { type: "array", items: { type: "string" }, title: "Tags" },
    "odd.name": { type: "string", title: "A name with a dot" },
    address: {
      type: "object",
      title: "Address",
      properties: { street: { type: "string" }, number: { type: "integer" } },
      required: ["street"],
    },
  },
  required: ["name", "count", "colour", "address"],
};

const asks = {
  one: ["Proceed with the release?", { choices: ["yes", "no"] }],
  many: [
    "Which regions should be included?",
    {
      multiple: true,
      choices: ["eu-west", "eu-north", "us-east", "us-west"].map((value) => ({
        value,
        label: value.toUpperCase(),
        description: `Customers in ${value}`,
      })),
    },
  ],
  text: ["What should the announcement say?", {}],
  form: ["Please fill in the record.", { schema: register }],
  yes_no: ["Is the invoice correct?", { schema: { type: "boolean" } }],
  operator: [
    "Delete the **old** backups?",
    { choices: ["delete", "keep"], answerableBy: "operator" },
  ],
  fallback: ["Which queue?", { choices: ["fast", "slow"], default: "slow", timeout: 90 }],
  hostile: [hostile, { choices: [{ value: "a", label: hostile }, "b"] }],
  rtl: [rightToLeft, { choices: ["نعم", "לא", "🎉 both"] }],
  long: [longPrompt, { choices: ["keep", "drop"] }],
  context: [
    "Shall I refund this order?",
    { choices: ["refund", "refuse"], context: { order: 4711 } },
  ],
};

const transfer = {
  from: "DE02 1203 0000 0000 2020 51",
  to: { name: "Northwind", iban: "FR14 2004 1010 0505 0001 3M02 606" },
  amount: 1200,
  reference: ["invoice 4711", "invoice 4712"],
};

/** @param {import("toolthread").TaskManager} manager */
export default function registerBrowserTasks(manager) {
  manager.registerTask("ask", async (ctx, { what = "one", timeout, count = 1 } = {}) => {
    const [prompt, options] = asks[what];
    const wait = timeout === undefined ? {} : { timeout };
    await ctx.update(`Preparing the question “${what}”`);
    const questions = Array.from({ length: count }, (_, i) =>
      ctx.ask({ prompt, timeout: 3600, ...options, ...wait, key: `q${i}` }),
    );
    const outcomes = await Promise.all(questions);
    return outcomes.map(({ outcome, answer, declineReason }) => ({
      outcome,
      answer,
      declineReason,
    }));
  });

  manager.registerTask("approve", async (ctx, { times = [{}], options = {} } = {}) => {
    const done = [];
    for (const change of times) {
      try {
        const grant = await ctx.approve("transfer_money", { ...transfer, ...change }, options);
        done.push(await ctx.step("transfer", { grant, args: grant.args }, (args) => args));
      } catch (error) {
        done.push(error.message);
      }
    }
    return done;
  });

  const login = z.object({
    host: z.string().default("mail.example.com"),
    token: z.string().min(8).meta({ secret: true, title: "Token" }),
  });
  manager.registerTask({ type: "login", title: "Sign in", params: login }, async (ctx, params) => {
    const pin = await ctx.askCustomer("The PIN of the terminal?", { secret: true, timeout: 3600 });
    await ctx.update(`Signing in with ${params.token} and ${pin}`);
    return { ...params, pin, pinLength: pin.length };
  });

  // A server without sign-in knows one person only: this is the second one, at another machine.
  manager.registerTask("second_person", async (_ctx, { questionId, answer }) => {
    const actor = { kind: "operator", id: "ben", name: "Ben", surface: "dashboard" };
    return (await manager.answerQuestion(questionId, answer, { actor })).won;
  });

  manager.registerTask("burst", async (ctx, { updates = 1000, perSecond = 200 } = {}) => {
    const startedAt = Date.now();
    for (let i = 1; i <= updates; i++) {
      ctx.update(`Update number ${i} of ${updates}`);
      ctx.progress(i, updates, null);
      const due = startedAt + (i * 1000) / perSecond;
      if (due > Date.now()) await pause((due - Date.now()) / 1000);
    }
    return { updates };
  });

  manager.registerTask("log", async (ctx, { lines = 30_000, errorAt = 7, ask = false } = {}) => {
    for (let i = 1; i <= lines; i++) {
      const level = i === errorAt ? "error" : i % 5000 === 0 ? "warning" : "info";
      const posted = ctx.update(i % 97 === 0 ? `Line ${i}\nhas two lines` : `Line ${i}`, level);
      if (i % 1000 === 0) await posted;
    }
    return ask ? ctx.askCustomer("Is it right?", { timeout: 3600 }) : null;
  });

  manager.registerTask("steps", async (ctx, { seconds = 0.05 } = {}) => {
    for (const name of ["fetch orders", "check totals", "write ledger"]) {
      await ctx.step(name, () => pause(seconds));
      await ctx.update(`Done: ${name}`);
    }
    await ctx.update("The currency table is a day old", "warning");
    await ctx.update("Raw response: 200, 4 kB", "debug");
    return { ledger: { entries: 12, total: 1822.5 }, ok: true };
  });

  manager.registerTask("work", async (ctx, { total = 500, label = "Reading mailbox" } = {}) => {
    for (let i = 0; i < total; i++) {
      ctx.checkCancelled();
      await ctx.progress(i, total, `${label}, part ${Math.floor(i / 50) + 1}`);
      await ctx.sleep(0.2);
    }
  });

  manager.registerTask("family", async (ctx, { children = 3, deep = 1 } = {}) => {
    const started = [];
    for (let i = 0; i < children; i++) {
      const isFamily = i === 0 && deep > 0;
      const params = isFamily ? { children: 2, deep: deep - 1 } : { say: `child ${i}` };
      started.push(
        await ctx.startTask(isFamily ? "family" : i % 10 === 3 ? "fail" : "echo", params),
      );
    }
    await ctx.askCustomer("Shall the family go on?", { choices: ["yes", "no"], timeout: 3600 });
    return started.map(({ taskId }) => taskId);
  });

  // Does not listen to a cancel.
  manager.registerTask({ type: "stubborn", cancelGrace: 3600 }, (ctx) =>
    ctx.update("I do not stop").then(() => new Promise(() => {})),
  );

  manager.registerTask("fail", async (ctx, { message = "the disk is full" } = {}) => {
    await ctx.update("About to write", "debug");
    await ctx.update("Disk usage at 99 %", "warning");
    await ctx.update("Write refused", "error");
    throw new RangeError(message);
  });

  manager.registerTask("echo", async (ctx, params) => {
    await ctx.update(String(params?.say ?? "hello"));
    await ctx.progress(1, 2, String(params?.say ?? "half-way"));
    return params;
  });

  manager.registerTask("big_result", async () => ({
    rows: Array.from({ length: 8000 }, (_, id) => ({
      id,
      name: `Customer ${id}`,
      email: `customer-${id}@example.com`,
      note: "Paid on time, no open items, reachable by phone in the mornings",
    })),
  }));
}
