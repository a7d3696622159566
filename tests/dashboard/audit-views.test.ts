import { describe, expect, test } from "vitest";
import {
  auditExportUrl,
  auditFiltersFromUrl,
  auditFiltersToUrl,
  hasAuditFilters,
  noAuditFilters,
  toAuditInput,
} from "../../components/audit/audit-filters.ts";
import {
  actionTexts,
  actorText,
  changeText,
  originText,
} from "../../components/audit/audit-text.ts";
import { draftWithoutSecrets } from "../../components/schema/form-draft.ts";
import { type AuditEntry, auditActions } from "../../server/core/audit.ts";

const entry: AuditEntry = {
  auditId: 7,
  at: "2026-11-30T12:00:00.000000Z",
  action: "question.answered",
  actor: { kind: "agent", id: "key_1", name: "Bot" },
  keyOwnerId: "olga",
  surface: "rest",
  address: "10.0.0.7",
  taskId: "task_1",
  taskType: "t",
  questionId: "q_1",
  details: { prompt: "Go?", answer: { yes: true }, reason: null, force: false },
};

describe("filters of the audit log", () => {
  test("go to the address and back", () => {
    const filters = {
      actor: "a&b",
      action: "task.started" as const,
      taskId: "task_1",
      from: "2026-11-01",
      until: "2026-11-30",
    };
    const url = auditFiltersToUrl(filters);
    expect(auditFiltersFromUrl(new URLSearchParams(url))).toEqual(filters);
    expect(hasAuditFilters(filters)).toBe(true);
    expect(auditFiltersToUrl(noAuditFilters)).toBe("");
  });

  test("what is none is left aside", () => {
    const query = "action=none&from=yesterday&until=2026-13-45&task=+&other=1";
    expect(auditFiltersFromUrl(new URLSearchParams(query))).toEqual(noAuditFilters);
  });

  test("days are the viewer's, both included", () => {
    const { from, until } = toAuditInput({
      ...noAuditFilters,
      from: "2026-11-30",
      until: "2026-11-30",
    }) as { from: string; until: string };
    expect(new Date(from)).toEqual(new Date(2026, 10, 30));
    expect(new Date(until)).toEqual(new Date(2026, 11, 1));
  });

  test("an export has the same filters", () => {
    const url = auditExportUrl({ ...noAuditFilters, actor: "a&b", action: "task.rerun" }, "csv");
    expect(url).toBe("/api/v1/audit/export?format=csv&actor=a%26b&action=task.rerun");
  });
});

test("an entry in words", () => {
  expect(changeText(entry)).toBe('prompt Go? · answer {"yes":true}');
  expect(changeText({ ...entry, details: { params: "x".repeat(500) } }).length).toBeLessThan(200);
  expect(actorText(entry)).toEqual({ name: "Bot", kind: "agent, key of olga, key_1" });
  expect(actorText({ ...entry, actor: null }).name).toBe("Somebody");
  expect(originText(entry)).toBe("rest · 10.0.0.7");
  expect(originText({ ...entry, surface: null, address: null })).toBe("");
  expect(Object.keys(actionTexts)).toEqual([...auditActions]);
});

describe("a draft with secrets", () => {
  const secret = { type: "string", secret: true, writeOnly: true };
  const schema = {
    type: "object",
    properties: {
      host: { type: "string" },
      token: secret,
      keys: { type: "array", items: secret },
      account: { type: "object", properties: { user: { type: "string" }, pin: secret } },
      either: { anyOf: [{ type: "number" }, secret] },
    },
  };
  const draft = {
    as: "fields" as const,
    draft: {
      host: "h",
      token: "t0ken",
      keys: ["k1", "k2"],
      account: { user: "u", pin: "p1n" },
      either: '"t0ken"',
    },
  };

  test("is stored without them, and as JSON not at all", () => {
    expect(draftWithoutSecrets(schema, draft)).toEqual({
      as: "fields",
      draft: { host: "h", token: "", keys: ["", ""], account: { user: "u", pin: "" }, either: "" },
    });
    expect(draftWithoutSecrets(schema, { as: "json", text: '{"token":"t0ken"}' })).toBeNull();
  });

  test("without any is stored as it is", () => {
    const plain = { type: "object", properties: { host: { type: "string" } } };
    for (const each of [draft, { as: "json" as const, text: "{}" }]) {
      expect(draftWithoutSecrets(plain, each)).toBe(each);
    }
  });
});
