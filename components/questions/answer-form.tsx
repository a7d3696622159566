"use client";

import { Suspense, useId } from "react";
import type { JsonValue } from "@/server/core/json.ts";
import type { Choice, QuestionData } from "@/server/core/task-question.ts";
import { Kbd } from "../keyboard/kbd.tsx";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { checkClass, Textarea } from "../ui/input.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { FieldError } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { answerKind } from "./answer-kind.ts";
import type { Answering } from "./use-answer.ts";
import { useDraft } from "./use-draft.ts";

// Most questions need no form, so most visits need not load it.
const SchemaAnswer = lazyPart(() => import("./schema-answer.tsx"));
const SecretAnswer = lazyPart(() => import("./secret-answer.tsx"));

export interface AnswerFormProps {
  question: QuestionData;
  answering: Answering;
  /** True where 1–9 choose among its answers. */
  hasKeys?: boolean;
}

/** The controls that fit what a question asks for. */
export function AnswerForm(props: AnswerFormProps) {
  const kind = answerKind(props.question);
  switch (kind.kind) {
    case "one":
      return <OneChoice {...props} choices={kind.choices} />;
    case "many":
      return <ManyChoices {...props} choices={kind.choices} />;
    case "text":
      return <TextAnswer {...props} />;
    case "secret":
      return (
        <Suspense fallback={<Skeleton className="h-24 max-w-md" />}>
          <SecretAnswer {...props} />
        </Suspense>
      );
    case "schema":
      return (
        <Suspense fallback={<Skeleton className="h-24 max-w-xl" />}>
          <SchemaAnswer {...props} schema={kind.schema} />
        </Suspense>
      );
  }
}

/** A choice of one: each answer a button, which sends it. */
function OneChoice({
  question,
  answering,
  choices,
  hasKeys = false,
}: AnswerFormProps & { choices: { choice: Choice; answer: JsonValue }[] }) {
  const isYesNo = question.schema?.type === "boolean";
  useShortcuts(
    choices.slice(0, maxKeys).map(({ choice, answer }, at) => ({
      keys: isYesNo ? [`${at + 1}`, at === 0 ? "y" : "n"] : `${at + 1}`,
      label: `Answer: ${choice.label.slice(0, 60)}`,
      section: "Questions",
      when: hasKeys && !answering.isBusy,
      run: () => answering.answer(answer),
    })),
  );
  const isList = choices.length > 5 || choices.some(({ choice }) => isWordy(choice));
  return (
    <div className="flex flex-col gap-3">
      <AnswerError answering={answering} />
      <div className={isList ? "flex max-w-2xl flex-col gap-1.5" : "flex flex-wrap gap-2"}>
        {choices.map(({ choice, answer }, at) => (
          <Button
            key={choice.value}
            disabled={answering.isBusy}
            onClick={() => answering.answer(answer)}
            size="block"
          >
            {hasKeys && at < maxKeys && <Kbd keys={`${at + 1}`} className="-ml-1" />}
            <ChoiceText choice={choice} />
          </Button>
        ))}
      </div>
    </div>
  );
}

// Their keys are 1 to 9.
const maxKeys = 9;

function isWordy({ label, description }: Choice): boolean {
  return Boolean(description) || label.length > 28;
}

function ChoiceText({ choice }: { choice: Choice }) {
  return (
    <span className="min-w-0">
      <span className="task-text block">{choice.label}</span>
      {choice.description && (
        <span className="task-text block font-normal text-ink-2 text-sm">{choice.description}</span>
      )}
    </span>
  );
}

function isTextList(draft: JsonValue): draft is string[] {
  return Array.isArray(draft) && draft.every((each) => typeof each === "string");
}

/** A choice of any number: boxes to tick, all at once if need be, and a button that sends. */
function ManyChoices({
  question,
  answering,
  choices,
  hasKeys = false,
}: AnswerFormProps & { choices: Choice[] }) {
  const draft = useDraft<string[]>(question.questionId, () => [], isTextList);
  const chosen = choices.filter(({ value }) => draft.value.includes(value));
  // A handler that offers "all" or "none" itself means it as an answer of its own.
  const offersAll = choices.some(({ value }) => value === "all");
  const offersNone = choices.some(({ value }) => value === "none");
  const toggle = (value: string, isChosen: boolean) =>
    draft.set(
      isChosen ? [...draft.value, value] : draft.value.filter((chosen) => chosen !== value),
    );
  useShortcuts(
    choices.slice(0, maxKeys).map(({ value, label }, at) => ({
      keys: `${at + 1}`,
      label: `Tick: ${label.slice(0, 60)}`,
      section: "Questions",
      when: hasKeys && !answering.isBusy,
      run: () => toggle(value, !draft.value.includes(value)),
    })),
  );
  const id = useId();
  const error = answering.error;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!answering.isBusy) answering.answer(chosen.map(({ value }) => value));
      }}
    >
      <fieldset
        className="max-w-2xl overflow-hidden rounded-md border border-line"
        aria-describedby={error ? `${id}-error` : undefined}
      >
        <legend className="sr-only">Choose any number</legend>
        {choices.length > 2 && !offersAll && (
          <label className="flex min-h-9 items-center gap-2.5 border-b bg-sunken px-3 font-medium">
            <input
              type="checkbox"
              className={checkClass}
              checked={chosen.length === choices.length}
              ref={(box) => {
                if (box) box.indeterminate = chosen.length > 0 && chosen.length < choices.length;
              }}
              onChange={(event) =>
                draft.set(event.target.checked ? choices.map(({ value }) => value) : [])
              }
            />
            Select all
            <span className="tabular ml-auto font-normal text-ink-2 text-sm">
              {chosen.length} of {choices.length}
            </span>
          </label>
        )}
        <div className="max-h-96 overflow-y-auto">
          {choices.map((choice, at) => (
            <label
              key={choice.value}
              className="flex min-h-9 items-start gap-2.5 px-3 py-2 not-last:border-b hover:bg-hover/60"
            >
              <input
                type="checkbox"
                className={cn(checkClass, "mt-0.5")}
                checked={draft.value.includes(choice.value)}
                onChange={(event) => toggle(choice.value, event.target.checked)}
              />
              <ChoiceText choice={choice} />
              {hasKeys && at < maxKeys && <Kbd keys={`${at + 1}`} className="ml-auto" />}
            </label>
          ))}
        </div>
      </fieldset>
      <AnswerError id={`${id}-error`} answering={answering} />
      <div>
        <Button
          type="submit"
          variant={chosen.length === 0 ? "outline" : "primary"}
          disabled={answering.isBusy || (offersNone && chosen.length === 0)}
        >
          {chosen.length > 0
            ? `Send ${chosen.length} of ${choices.length}`
            : offersNone
              ? "Choose at least one"
              : "Send none of them"}
          {hasKeys && <Kbd keys="$mod+Enter" />}
        </Button>
      </div>
    </form>
  );
}

const isText = (draft: JsonValue): draft is string => typeof draft === "string";

/** Free text; Ctrl or ⌘ with Enter sends it. */
function TextAnswer({ question, answering, hasKeys = false }: AnswerFormProps) {
  const draft = useDraft<string>(question.questionId, () => "", isText);
  const id = useId();
  const isEmpty = draft.value.trim() === "";
  return (
    <form
      className="flex max-w-2xl flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!answering.isBusy && !isEmpty) answering.answer(draft.value);
      }}
    >
      <label htmlFor={id} className="sr-only">
        Your answer
      </label>
      <Textarea
        id={id}
        value={draft.value}
        placeholder="Your answer"
        aria-invalid={answering.error !== null}
        aria-describedby={answering.error ? `${id}-error` : undefined}
        onChange={(event) => draft.set(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }
        }}
      />
      <AnswerError id={`${id}-error`} answering={answering} />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" disabled={answering.isBusy || isEmpty}>
          Send answer
          {hasKeys && <Kbd keys="$mod+Enter" />}
        </Button>
      </div>
    </form>
  );
}

function AnswerError({ id, answering }: { id?: string; answering: Answering }) {
  if (answering.error === null || answering.error.code === "conflict") return null;
  return <FieldError id={id}>{answering.error.message}</FieldError>;
}
