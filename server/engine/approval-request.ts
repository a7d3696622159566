import type { z } from "zod";
import { type Approval, type ApprovalVote, defaultGrantSeconds } from "../core/approval.ts";
import { InvalidAnswer, InvalidInput } from "../core/errors.ts";
import { describeIssues } from "../core/issues.ts";
import { isJsonObject, type JsonObject, type JsonValue, toJsonValue } from "../core/json.ts";
import type { ApproveOptions, Grant } from "../core/task-context.ts";
import type { QuestionData } from "../core/task-question.ts";
import { checkWithSchema } from "./check-with-schema.ts";
import { jsonDigest } from "./json-digest.ts";
import { type CheckedRequest, checkRequest, misfit, toSchema } from "./question-request.ts";

const maxActionLength = 200;
const maxApprovals = 20;

/**
 * An approval as the handler asked for it, checked.
 *
 * @throws InvalidInput saying what is wrong with it.
 */
export function checkApproval(
  action: string,
  given: unknown,
  options: ApproveOptions,
  selfApproval: boolean,
): CheckedRequest {
  if (typeof action !== "string" || action.trim() === "" || action.length > maxActionLength) {
    throw new InvalidInput(
      `approve: action is a text of 1 to ${maxActionLength} characters that names what is to be done.`,
    );
  }
  const args = toJsonValue(given ?? null, "args");
  const { approvals = 1, expiresIn = defaultGrantSeconds, allowEdit = false, schema } = options;
  if (!Number.isInteger(approvals) || approvals < 1 || approvals > maxApprovals) {
    throw new InvalidInput(
      `approve: approvals is a whole number from 1 to ${maxApprovals}, not ${approvals}.`,
    );
  }
  // A hundred years; Infinity would leave no moment to store.
  if (!(expiresIn > 0) || expiresIn > 3_153_600_000) {
    throw new InvalidInput(
      `approve: expiresIn is in seconds and above 0, but this is ${expiresIn}.`,
    );
  }
  const argsSchema = schema ? toSchema(schema) : null;
  const parsed = argsSchema && checkWithSchema(argsSchema, args);
  if (parsed && !parsed.success) {
    const { text } = describeIssues(parsed.error.issues);
    throw new InvalidInput(`approve: args do not fit their schema: ${text}`);
  }
  const argsDigest = jsonDigest(args);
  const { prompt = `Approve ${action}?`, timeout, context, urgency } = options;
  const approval: Approval = {
    action,
    args,
    argsDigest,
    askedDigest: argsDigest,
    argsSchema,
    allowEdit,
    edited: null,
    needed: approvals,
    given: [],
    selfApproval,
    expiresIn,
    expiresAt: null,
    usedBy: null,
  };
  return {
    ...checkRequest({ prompt, timeout, context, urgency, answerableBy: "operator" }),
    schema: answerSchema(allowEdit),
    approval,
  };
}

/** JSON Schema of what an approval is answered with. */
function answerSchema(allowEdit: boolean): JsonObject {
  const argsDigest = { type: "string", description: "The digest of the arguments you saw" };
  const args = { description: "The arguments to approve instead" };
  return {
    type: "object",
    properties: { approve: { const: true }, argsDigest, ...(allowEdit && { args }) },
    required: ["approve"],
    additionalProperties: false,
  };
}

/**
 * Reads the answer to an approval.
 *
 * @throws InvalidAnswer saying what would be right.
 */
export function readVote(answer: JsonValue): ApprovalVote {
  if (!isJsonObject(answer)) {
    throw invalid("", `An approval is answered with { "approve": true }.`);
  }
  const { approve, args, argsDigest, ...others } = answer;
  if (approve !== true) {
    throw invalid("approve", "`approve` must be true. To say no, decline the question.");
  }
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw invalid(unknown, `An approval takes approve, args and argsDigest, not "${unknown}".`);
  }
  if (argsDigest !== undefined && typeof argsDigest !== "string") {
    throw invalid("argsDigest", "`argsDigest` is the text that stands with the question.");
  }
  return {
    seenDigest: argsDigest ?? null,
    edit: args === undefined ? null : { args, argsDigest: jsonDigest(args) },
  };
}

/** As {@link readVote}; undefined for what is no answer to an approval. */
export function tryReadVote(answer: JsonValue): ApprovalVote | undefined {
  try {
    return readVote(answer);
  } catch {
    return undefined;
  }
}

/** @throws InvalidAnswer when edited arguments do not fit what the handler said of them. */
export function checkEdit({ argsSchema }: Approval, { edit }: ApprovalVote): void {
  if (edit === null || argsSchema === null) return;
  const parsed = checkWithSchema(argsSchema, edit.args);
  if (!parsed.success) throw misfit(parsed.error, "args");
}

/** The handler's own schema of the arguments also checks what JSON Schema cannot say. */
export async function checkEditWith(schema: z.ZodType, answer: JsonValue): Promise<void> {
  const { edit } = readVote(answer);
  if (edit === null) return;
  const parsed = await schema.safeParseAsync(edit.args);
  if (!parsed.success) throw misfit(parsed.error, "args");
}

/** The grant of an approval that was given. */
export function grantOf({ questionId, approval }: QuestionData): Grant<unknown> {
  const { action, args, argsDigest, edited, given, expiresAt } = approval as Approval;
  return {
    questionId,
    action,
    // A copy: what the handler does with it must not change what was approved.
    args: structuredClone(args),
    argsDigest,
    isEdited: edited !== null,
    approvedBy: given.map(({ by, at }) => ({ by, at })),
    expiresAt: expiresAt as string,
  };
}

function invalid(path: string, message: string): InvalidAnswer {
  return new InvalidAnswer(message, { issues: [{ path, message }] });
}
