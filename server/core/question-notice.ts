import type { JsonValue } from "./json.ts";
import type { QuestionData, Urgency } from "./task-question.ts";

/** A question as a notification shows it. */
export interface QuestionNotice {
  questionId: string;
  taskId: string;
  title: string;
  body: string;
  urgency: Urgency;
  /** What can be answered with one press; none where more has to be read or typed. */
  answers: { label: string; answer: JsonValue }[];
}

const maxBodyLength = 280;
/** Systems show two buttons; with three answers, two buttons would hide the third. */
const maxAnswers = 2;

/**
 * What to notify people of. An approval has no buttons: its arguments are to be read first. A secret
 * question's prompt is shown like any other; its answer is typed on the page.
 */
export function questionNotice(
  question: Pick<
    QuestionData,
    | "questionId"
    | "taskId"
    | "prompt"
    | "urgency"
    | "choices"
    | "multiple"
    | "schema"
    | "secret"
    | "approval"
  >,
  taskType: string,
): QuestionNotice {
  const { questionId, taskId, urgency, approval } = question;
  const asks = approval ? "asks for leave" : "asks";
  return {
    questionId,
    taskId,
    title: `${urgency === "high" ? "Urgent: " : ""}${taskType} ${asks}`,
    body: plainText(question.prompt),
    urgency,
    answers: approval ? [] : answersOf(question),
  };
}

function answersOf({
  choices,
  multiple,
  schema,
  secret,
}: Pick<QuestionData, "choices" | "multiple" | "schema" | "secret">): QuestionNotice["answers"] {
  if (secret || multiple) return [];
  if (choices) {
    if (choices.length > maxAnswers) return [];
    return choices.map(({ value, label }) => ({ label, answer: value }));
  }
  if (schema?.type !== "boolean") return [];
  return [
    { label: "Yes", answer: true },
    { label: "No", answer: false },
  ];
}

/** Markdown as the eye would read it in a place that has none; cut where it becomes long. */
function plainText(markdown: string): string {
  const text = markdown
    .slice(0, maxBodyLength * 4)
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+/gm, "")
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
    .replace(/(\*\*|__|`+|~~)/g, "")
    .replace(/\n{2,}/g, "\n")
    .trim();
  const characters = [...text];
  if (characters.length <= maxBodyLength) return text;
  return `${characters.slice(0, maxBodyLength - 1).join("")}…`;
}
