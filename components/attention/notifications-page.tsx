"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { type Urgency, urgencies } from "@/server/core/task-question.ts";
import { readApiError } from "../api/api-error.ts";
import { queries } from "../api/queries.ts";
import { Button } from "../ui/button.tsx";
import { checkClass } from "../ui/input.tsx";
import { FieldError } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { changeAttention, useAttentionSettings } from "./attention-settings.ts";
import { canPush, subscribeToPush, unsubscribeFromPush } from "./push.ts";
import { serviceWorker } from "./service-worker.ts";
import { playTone } from "./tone.ts";
import { usePermission } from "./use-permission.ts";

/** How, and for what, this browser asks for its person's attention. */
export function NotificationsPage() {
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 pt-3 pb-10 sm:px-6">
      <PageHeader title="Notifications" />
      <Section title="How" note="Of new questions, in this browser. Every browser has its own.">
        <Ways />
      </Section>
      <Section title="For what">
        <Urgencies />
        <TaskTypes />
      </Section>
    </div>
  );
}

function Ways() {
  const settings = useAttentionSettings();
  const permission = usePermission();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isReady = permission.state !== "unknown";
  const canAsk = permission.state === "default" || permission.state === "granted";
  const setPush = async (isOn: boolean) => {
    setProblem(null);
    setBusy(true);
    try {
      if (isOn && (await permission.ask()) !== "granted") return;
      const worker = await serviceWorker();
      if (!worker) throw new Error("This browser did not take the service worker.");
      if (isOn) await subscribeToPush(worker);
      changeAttention({ push: isOn });
      if (!isOn) await unsubscribeFromPush(worker);
    } catch (error) {
      setProblem(
        `Push could not be ${isOn ? "switched on" : "ended"}: ${readApiError(error).message}`,
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col">
      <Switch
        label="Number in the tab"
        note="How many questions are open, in the title and on the icon."
        checked={settings.title}
        disabled={!isReady}
        onChange={(title) => changeAttention({ title })}
      />
      <Switch
        label="Notifications of the system"
        note={
          permission.state === "missing"
            ? "Browsers show them only for pages over TLS or on this machine."
            : permission.state === "denied"
              ? "This browser does not allow them for this page. Its settings for this site do."
              : "With the question’s text, and buttons for two answers where the system has them, while a tab is open and none is looked at."
        }
        checked={settings.notification && permission.state === "granted"}
        disabled={!canAsk}
        onChange={async (notification) => {
          const isOn = notification && (await permission.ask()) === "granted";
          changeAttention({ notification: isOn });
        }}
      />
      <Switch
        label="Push"
        note={
          isReady && !canPush()
            ? "This browser cannot be told while no tab is open."
            : "The same also while no tab is open, through the push service of the browser’s maker, which cannot read it. It ends when you sign out."
        }
        checked={settings.push && permission.state === "granted"}
        disabled={!canAsk || !canPush() || isBusy}
        onChange={(push) => void setPush(push)}
      />
      <Switch
        label="Sound"
        note="Two short notes. Browsers make none before the page has been clicked once."
        checked={settings.sound}
        disabled={!isReady}
        onChange={(sound) => changeAttention({ sound })}
      >
        <Button
          size="sm"
          onClick={() => {
            setProblem(null);
            playTone().catch(() => setProblem("This browser makes no sound."));
          }}
        >
          Hear it
        </Button>
      </Switch>
      {problem && <FieldError>{problem}</FieldError>}
    </div>
  );
}

const urgencyNotes: Record<Urgency, string> = {
  high: "Somebody or something is held up badly.",
  normal: "What a handler asks without saying more.",
  low: "It can wait.",
};

function Urgencies() {
  const settings = useAttentionSettings();
  return (
    <fieldset>
      <legend className="font-medium">Urgency</legend>
      <div className="mt-1 flex flex-col">
        {urgencies.toReversed().map((urgency) => (
          <Switch
            key={urgency}
            label={urgency[0]?.toUpperCase() + urgency.slice(1)}
            note={urgencyNotes[urgency]}
            checked={settings.urgencies.includes(urgency)}
            onChange={(isOn) => {
              const others = settings.urgencies.filter((each) => each !== urgency);
              changeAttention({ urgencies: isOn ? [...others, urgency] : others });
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}

function TaskTypes() {
  const { types: chosen } = useAttentionSettings();
  const types = useQuery(queries.types());
  const known = types.data?.map(({ type }) => type);
  // One that is registered no more stays chosen, and can be seen to be.
  const listed = [...new Set([...(known ?? []), ...(chosen ?? [])])].sort();
  return (
    <fieldset className="mt-4">
      <legend className="font-medium">Task types</legend>
      <div className="mt-1 flex flex-col">
        <Switch
          label="All"
          note="Also those that come later."
          checked={chosen === null}
          onChange={(isOn) => changeAttention({ types: isOn ? null : (known ?? []) })}
        />
        {known === undefined ? (
          <Skeleton className="mt-2 h-20" />
        ) : (
          chosen !== null &&
          listed.map((type) => (
            <Switch
              key={type}
              label={type}
              checked={chosen.includes(type)}
              onChange={(isOn) => {
                const others = chosen.filter((each) => each !== type);
                changeAttention({ types: isOn ? [...others, type] : others });
              }}
            />
          ))
        )}
      </div>
    </fieldset>
  );
}

function Switch({
  label,
  note,
  checked,
  disabled,
  onChange,
  children,
}: {
  label: string;
  note?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (isOn: boolean) => void;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-3 py-2 not-last:border-b">
      <input
        id={id}
        type="checkbox"
        className={`${checkClass} mt-0.5`}
        checked={checked}
        disabled={disabled}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="task-text block">
          {label}
        </label>
        {note && (
          <p id={`${id}-note`} className="text-ink-2 text-sm">
            {note}
          </p>
        )}
      </div>
      {children}
    </div>
  );
}
