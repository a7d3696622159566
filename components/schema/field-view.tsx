"use client";

import { X } from "lucide-react";
import { type ChangeEvent, type ReactNode, useId } from "react";
import { isJsonObject } from "@/server/core/json.ts";
import type { FieldIssue } from "../api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { checkClass, Input, Select, Textarea } from "../ui/input.tsx";
import { FieldError } from "../ui/notice.tsx";
import { SecretInput } from "../ui/secret-input.tsx";
import { draftOf, type FieldDraft, type FieldPath, pathText } from "./schema-draft.ts";
import type { SchemaField } from "./schema-field.ts";
import { valueLabel } from "./value-label.ts";

interface FieldViewProps {
  field: SchemaField;
  draft: FieldDraft;
  onDraft: (draft: FieldDraft) => void;
  issues: readonly FieldIssue[];
  path: FieldPath;
  required: boolean;
  /** The property's name; null for the outermost field and the items of a list. */
  label: string | null;
}

/** One field of a schema form with its label, what is wrong with it, and the fields within it. */
export function FieldView(props: FieldViewProps) {
  const { field, path, issues } = props;
  const id = useId();
  const here = pathText(path);
  const own = issues.filter((issue) => issue.path === here);
  // An issue below a field that shows no parts of its own, such as one edited as JSON, is its own.
  const isLeaf = !["group", "list"].includes(field.kind);
  const below = isLeaf ? issues.filter(({ path: p }) => p !== here && isBelow(p, here)) : [];
  const errors = [...own, ...below];
  const described = [
    hintOf(field, props.required) && `${id}-hint`,
    field.description && `${id}-about`,
    errors.length > 0 && `${id}-error`,
  ];
  const aria: Aria = {
    id,
    "aria-invalid": errors.length > 0,
    "aria-describedby": described.filter((part) => part).join(" ") || undefined,
  };
  const about = (
    <>
      {field.description && (
        <p id={`${id}-about`} className="task-text text-ink-2 text-sm">
          {field.description}
        </p>
      )}
      {errors.length > 0 && (
        <FieldError id={`${id}-error`}>
          {errors
            .map(({ path: p, message }) => (p === here ? message : `${p}: ${message}`))
            .join("\n")}
        </FieldError>
      )}
    </>
  );

  if (field.kind === "group" || field.kind === "list" || field.kind === "set") {
    return <Compound {...props} about={about} />;
  }
  return (
    <div className="flex max-w-xl flex-col gap-1">
      <Label {...props} id={id} />
      <Scalar {...props} field={field} aria={aria} />
      {about}
    </div>
  );
}

interface Aria {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

function isBelow(path: string, parent: string): boolean {
  return parent === ""
    ? path !== ""
    : path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);
}

function labelOf({ field, label, path }: Pick<FieldViewProps, "field" | "label" | "path">): string {
  const last = path.at(-1);
  return field.title ?? label ?? (typeof last === "number" ? `Item ${last + 1}` : "Answer");
}

function Label({ id, ...props }: FieldViewProps & { id: string }) {
  const { field, label, path, required } = props;
  // A list's items are told apart by their place; only screen readers need that in words.
  const isItem = typeof path.at(-1) === "number";
  return (
    <div className="flex flex-wrap items-baseline gap-x-2">
      <label htmlFor={id} className={isItem ? "sr-only" : "task-text font-medium"}>
        {labelOf({ field, label, path })}
      </label>
      <span id={`${id}-hint`} className={isItem ? "sr-only" : "text-ink-3 text-sm"}>
        {hintOf(field, required)}
      </span>
    </div>
  );
}

function hintOf(field: SchemaField, required: boolean): string {
  const optional = !required && field.initial === undefined ? "optional" : "";
  const secret = field.secret ? "secret" : "";
  const hint = "hint" in field ? field.hint : "";
  return [optional, secret, hint].filter((part) => part !== "").join(", ");
}

function Scalar({ field, draft, onDraft, required, aria }: FieldViewProps & { aria: Aria }) {
  const text = typeof draft === "string" ? draft : "";
  const placeholder =
    typeof field.example === "string" || typeof field.example === "number"
      ? `For example ${field.example}`
      : undefined;
  const masked = {
    ...aria,
    value: text,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onDraft(event.target.value),
  };
  switch (field.kind) {
    case "text":
      if (field.secret || field.input === "password") return <SecretInput {...masked} />;
      return field.long ? (
        <Textarea
          {...aria}
          placeholder={placeholder}
          value={text}
          onChange={(event) => onDraft(event.target.value)}
        />
      ) : (
        <Input
          {...aria}
          type={field.input}
          placeholder={placeholder}
          autoComplete="off"
          value={text}
          onChange={(event) => onDraft(event.target.value)}
        />
      );
    case "number":
      if (field.secret) return <SecretInput {...masked} className="max-w-48" />;
      return (
        <Input
          {...aria}
          placeholder={placeholder}
          inputMode={field.integer ? "numeric" : "decimal"}
          autoComplete="off"
          className="tabular max-w-48"
          value={text}
          onChange={(event) => onDraft(event.target.value)}
        />
      );
    case "boolean":
    case "enum":
      return (
        <ChoiceField
          field={field}
          draft={draft}
          onDraft={onDraft}
          required={required}
          aria={aria}
        />
      );
    default:
      return (
        <Textarea
          {...aria}
          isCode
          placeholder="JSON"
          value={text}
          onChange={(event) => onDraft(event.target.value)}
        />
      );
  }
}

function ChoiceField({
  field,
  draft,
  onDraft,
  required,
  aria,
}: Pick<FieldViewProps, "draft" | "onDraft" | "required"> & {
  field: SchemaField & { kind: "boolean" | "enum" };
  aria: Aria;
}) {
  const options: { label: string; draft: FieldDraft }[] =
    field.kind === "boolean"
      ? [
          { label: "Yes", draft: true },
          { label: "No", draft: false },
        ]
      : field.values.map((value, at) => ({ label: valueLabel(value), draft: at }));
  return (
    <Select
      {...aria}
      className="max-w-72"
      value={options.findIndex((option) => option.draft === draft)}
      onChange={(event) => onDraft(options[Number(event.target.value)]?.draft ?? null)}
    >
      <option value={-1} disabled={required && !field.nullable}>
        {required && !field.nullable ? "Choose…" : "Not set"}
      </option>
      {options.map(({ label }, at) => (
        <option key={label} value={at}>
          {label}
        </option>
      ))}
    </Select>
  );
}

function Compound(props: FieldViewProps & { about: ReactNode }) {
  const { field, label, path, required, about } = props;
  const isOutermost = path.length === 0 && label === null;
  const parts =
    field.kind === "group" ? (
      <Group {...props} field={field} />
    ) : field.kind === "list" ? (
      <List {...props} field={field} />
    ) : field.kind === "set" ? (
      <ValueSet {...props} field={field} />
    ) : null;
  if (isOutermost && field.kind === "group") {
    return (
      <div className="flex flex-col gap-4">
        {parts}
        {about}
      </div>
    );
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 flex items-baseline gap-2 font-medium">
        <span className="task-text">{labelOf({ field, label, path })}</span>
        {!required && <span className="font-normal text-ink-3 text-sm">optional</span>}
      </legend>
      {about}
      {parts}
    </fieldset>
  );
}

function Group({
  field,
  draft,
  onDraft,
  issues,
  path,
}: FieldViewProps & { field: { kind: "group" } }) {
  const drafts = isJsonObject(draft) ? draft : {};
  const nested = path.length > 0;
  const { members } = field as SchemaField & { kind: "group" };
  return (
    <div className={nested ? "flex flex-col gap-3 border-s ps-4" : "flex flex-col gap-4"}>
      {members.map(({ name, required, field: member }) => (
        <FieldView
          key={name}
          field={member}
          draft={drafts[name] ?? null}
          onDraft={(next) => onDraft({ ...drafts, [name]: next })}
          issues={issues}
          path={[...path, name]}
          required={required}
          label={name}
        />
      ))}
      {members.length === 0 && <p className="text-ink-2">There is nothing to fill in.</p>}
    </div>
  );
}

function List({
  field,
  draft,
  onDraft,
  issues,
  path,
}: FieldViewProps & { field: { kind: "list" } }) {
  const { item, example } = field as SchemaField & { kind: "list" };
  const examples = Array.isArray(example) ? example : [];
  const itemLike = (at: number) => ({ ...item, example: examples[at] ?? item.example });
  const drafts = Array.isArray(draft) ? draft : [];
  return (
    <div className="flex flex-col items-start gap-2">
      {drafts.map((each, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a list's items are known by their place
          key={at}
          className="flex w-full max-w-xl items-end gap-1.5 [&>:first-child]:flex-1"
        >
          <FieldView
            field={itemLike(at)}
            draft={each}
            onDraft={(next) => onDraft(drafts.with(at, next))}
            issues={issues}
            path={[...path, at]}
            required
            label={null}
          />
          <Button
            variant="quiet"
            size="icon"
            aria-label={`Remove item ${at + 1}`}
            onClick={() => onDraft(drafts.toSpliced(at, 1))}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
      ))}
      <Button size="sm" onClick={() => onDraft([...drafts, draftOf(item)])}>
        Add {drafts.length === 0 ? "an item" : "another"}
      </Button>
    </div>
  );
}

function ValueSet({ field, draft, onDraft }: FieldViewProps & { field: { kind: "set" } }) {
  const { values } = field as SchemaField & { kind: "set" };
  const chosen = Array.isArray(draft) ? draft : [];
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1">
      {values.map((value, at) => (
        <label key={valueLabel(value)} className="flex min-h-6 items-center gap-2">
          <input
            type="checkbox"
            className={checkClass}
            checked={chosen.includes(at)}
            onChange={(event) =>
              onDraft(event.target.checked ? [...chosen, at] : chosen.filter((each) => each !== at))
            }
          />
          <span className="task-text">{valueLabel(value)}</span>
        </label>
      ))}
    </div>
  );
}
