import { z } from "zod";
import { roles, type Subject } from "../../core/permission.ts";

const id = z.string().min(1).max(200);
const role = z.enum(roles);
const typeName = z.string().regex(/^[\w.:/-]{1,100}$/, "is not the name of a task type");

const groupName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9 ._-]{0,39}$/i, "has 1 to 40 letters, digits, spaces or . _ -");

const groups = z.array(groupName).max(50);

export const email = z.email("is not an e-mail address").max(200);
export const personName = z.string().trim().min(1, "is missing").max(100);

const subject = z.custom<Subject>(
  (value) =>
    typeof value === "string" &&
    ((roles as readonly string[]).includes(value) ||
      (value.startsWith("group:") && groupName.safeParse(value.slice(6)).success)),
  "is neither a role nor group:NAME",
);
const subjects = z.array(subject).max(50).optional();

export const makeKeyInput = z.strictObject({
  name: z.string().trim().min(1, "is missing").max(100),
  scopes: z.strictObject({
    start: z.union([z.literal("all"), z.array(typeName).max(200)]),
    read: z.enum(["own", "all"]),
    answer: z.boolean(),
    drive: z.boolean(),
    metrics: z.boolean(),
  }),
  expiresAt: z.string().max(40).nullable().describe("An ISO 8601 timestamp; null for never"),
});

export const keyIdInput = z.strictObject({ keyId: id });

export const inviteInput = z.strictObject({
  email: email.nullable().describe("Whom it is for, as a note; null for anybody who has the link"),
  role,
  groups,
});

export const linkIdInput = z.strictObject({ linkId: id });

export const userIdInput = z.strictObject({ userId: id });

export const changePersonInput = z.strictObject({
  userId: id,
  role: role.optional(),
  groups: groups.optional(),
  isDisabled: z.boolean().optional(),
});

export const setRuleInput = z.strictObject({
  type: typeName,
  access: z
    .strictObject({ see: subjects, start: subjects, answer: subjects })
    .nullable()
    .describe("Null gives the rule in code its place again"),
});
