"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { queries } from "../api/queries.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { checkClass, Select } from "../ui/input.tsx";
import { FieldError } from "../ui/notice.tsx";
import { expiryInDays } from "./scope-text.ts";

const lives = [
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
  { days: 365, label: "a year" },
  { days: 0, label: "no end" },
];

/** Names a key and chooses what it may do. */
export function MakeKeyForm({ onMade }: { onMade: (made: { name: string; key: string }) => void }) {
  const client = useQueryClient();
  const { data: types } = useQuery(queries.types());
  const id = useId();
  const [name, setName] = useState("");
  const [days, setDays] = useState(90);
  const [startsAll, setStartsAll] = useState(true);
  const [start, setStart] = useState<string[]>([]);
  const [readsAll, setReadsAll] = useState(false);
  const [flags, setFlags] = useState({ answer: false, drive: false, metrics: false });
  const make = useMutation({
    mutationFn: () =>
      api.keys.make.mutate({
        name,
        scopes: { start: startsAll ? "all" : start, read: readsAll ? "all" : "own", ...flags },
        expiresAt: expiryInDays(days, new Date()),
      }),
    onSuccess: ({ key }) => {
      onMade({ name, key });
      setName("");
      void client.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!make.isPending) make.mutate();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Name"
          required
          maxLength={100}
          placeholder="release agent"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="flex flex-col gap-1">
          <label htmlFor={`${id}-days`} className="font-medium">
            Valid for
          </label>
          <Select
            id={`${id}-days`}
            value={days}
            onChange={(event) => setDays(Number(event.target.value))}
          >
            {lives.map((life) => (
              <option key={life.days} value={life.days}>
                {life.label}
              </option>
            ))}
          </Select>
        </div>
      </div>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 font-medium">It may</legend>
        <Check checked={startsAll} onChange={setStartsAll} label="start tasks of every type" />
        {!startsAll && (
          <div className="ml-6 flex flex-wrap gap-x-4 gap-y-1.5">
            {types?.map(({ type }) => (
              <Check
                key={type}
                checked={start.includes(type)}
                onChange={(isOn) =>
                  setStart((before) =>
                    isOn ? [...before, type] : before.filter((each) => each !== type),
                  )
                }
                label={type}
              />
            ))}
          </div>
        )}
        <Check
          checked={readsAll}
          onChange={setReadsAll}
          label="see all tasks, not only those it started"
        />
        <Check
          checked={flags.answer}
          onChange={(answer) => setFlags({ ...flags, answer })}
          label="answer questions that are not for people only"
        />
        <Check
          checked={flags.drive}
          onChange={(drive) => setFlags({ ...flags, drive })}
          label="drive tasks from outside"
        />
        <Check
          checked={flags.metrics}
          onChange={(metrics) => setFlags({ ...flags, metrics })}
          label="read metrics"
        />
      </fieldset>
      {make.error && <FieldError>{readApiError(make.error).message}</FieldError>}
      <div>
        <Button type="submit" variant="primary" disabled={make.isPending}>
          Make the key
        </Button>
      </div>
    </form>
  );
}

function Check({
  checked,
  onChange,
  label,
}: {
  checked: boolean;
  onChange: (isOn: boolean) => void;
  label: string;
}) {
  return (
    <label className="flex items-center gap-2">
      <input
        type="checkbox"
        className={checkClass}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}
