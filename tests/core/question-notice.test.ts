import { expect, test } from "vitest";
import { isWanted } from "../../components/attention/attention-settings.ts";
import { questionNotice } from "../../server/core/question-notice.ts";
import { newQuestionData, type QuestionFields } from "../../server/core/task-question.ts";

const notice = (fields: Partial<QuestionFields>) =>
  questionNotice(newQuestionData({ taskId: "task_1", prompt: "Go on?", ...fields }), "deploy");
const labels = (fields: Partial<QuestionFields>) =>
  notice(fields).answers.map(({ label }) => label);
const choice = (value: string) => ({ value, label: value.toUpperCase() });

test("two answers are buttons; where more is to be read or typed there are none", () => {
  expect(notice({ choices: [choice("yes"), choice("no")] }).answers).toEqual([
    { label: "YES", answer: "yes" },
    { label: "NO", answer: "no" },
  ]);
  expect(notice({ schema: { type: "boolean" } }).answers).toEqual([
    { label: "Yes", answer: true },
    { label: "No", answer: false },
  ]);
  expect(labels({})).toEqual([]);
  expect(labels({ choices: ["a", "b", "c"].map(choice) })).toEqual([]);
  expect(labels({ choices: [choice("a")], multiple: true })).toEqual([]);
  expect(labels({ schema: { type: "boolean" }, secret: true })).toEqual([]);
});

test("an approval has no button, whatever its schema: its arguments are to be read", () => {
  const approval = { action: "refund" } as QuestionFields["approval"];
  const { title, answers } = notice({ approval, choices: [choice("yes")], urgency: "high" });
  expect([title, answers]).toEqual(["Urgent: deploy asks for leave", []]);
});

test("the prompt is told as plain text, and not at length", () => {
  const prompt = "# Deploy?\n\n- **Really** [now](https://example.com)\n\n> `main` ~~today~~";
  expect(notice({ prompt }).body).toBe("Deploy?\nReally now\nmain today");
  const { body } = notice({ prompt: "👩‍👩‍👧 x ".repeat(20_000) });
  expect([...body]).toHaveLength(280);
  expect(body.at(-1)).toBe("…");
});

test("a snake_case_name and a product of 2 * 3 stay what they are", () => {
  expect(notice({ prompt: "Drop table user_data_old, 2 * 3 rows?" }).body).toBe(
    "Drop table user_data_old, 2 * 3 rows?",
  );
});

test("people hear of the urgencies and types they want to hear of", () => {
  const settings = { title: true, notification: true, sound: false, push: false };
  const high = { urgency: "high" } as const;
  expect(isWanted({ ...settings, urgencies: ["high"], types: null }, high, "a")).toBe(true);
  expect(isWanted({ ...settings, urgencies: ["low"], types: null }, high, "a")).toBe(false);
  expect(isWanted({ ...settings, urgencies: ["high"], types: ["b"] }, high, "a")).toBe(false);
  expect(isWanted({ ...settings, urgencies: ["high"], types: ["a"] }, high, "a")).toBe(true);
});
