"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { queries, useMay } from "../api/queries.ts";
import { signOut } from "../entry/sign-out.ts";
import { overlay } from "../keyboard/overlay.ts";
import { keysOf, type Shortcut } from "../keyboard/shortcut.ts";
import { everywhere } from "../keyboard/shortcut-sections.ts";
import { promptLine } from "../questions/prompt-line.ts";
import { undoPreference } from "../questions/undo-preference.ts";
import { openQuestion } from "../questions/use-chosen-question.ts";
import { notify } from "../toasts/notify.ts";
import { overlayStyle } from "../ui/overlay-style.ts";
import { Group, Item } from "./palette-item.tsx";
import { palettePages } from "./palette-pages.ts";
import { TaskItems } from "./task-items.tsx";

interface PaletteProps {
  /** What the page below can do. */
  shortcuts: readonly Shortcut[];
  onClose: () => void;
}

const maxQuestions = 30;

/** Goes everywhere and does everything: typed, chosen, done. */
export default function Palette({ shortcuts, onClose }: PaletteProps) {
  const router = useRouter();
  const [text, setText] = useState("");
  const { data: me } = useQuery(queries.me());
  const close = (then: () => void) => {
    onClose();
    // After the page has the focus again, so that what is done may take it elsewhere.
    setTimeout(then);
  };
  const go = (path: string) => close(() => router.push(path));
  const actions = shortcuts.filter(
    ({ section, inPalette = true }) => section !== everywhere && inPalette,
  );
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayStyle} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-4 top-[10dvh] z-50 mx-auto flex max-h-[70dvh] max-w-xl animate-in flex-col overflow-hidden rounded-lg border bg-surface shadow-overlay fade-in-0 duration-150 max-md:top-4 max-md:max-h-[60dvh]"
        >
          <Dialog.Title className="sr-only">Find or do anything</Dialog.Title>
          <Command
            loop
            vimBindings={false}
            label="Find or do anything"
            className="flex min-h-0 flex-col"
          >
            <Command.Input
              autoFocus
              value={text}
              onValueChange={setText}
              placeholder="Pages, tasks, questions, actions…"
              className="h-12 w-full shrink-0 border-b bg-transparent px-4 text-lg outline-none pointer-coarse:text-[1rem]"
            />
            <Command.List className="min-h-0 scroll-py-2 overflow-y-auto overscroll-contain p-2">
              <Command.Empty className="px-2 py-8 text-center text-ink-2">
                Nothing is called that.
              </Command.Empty>
              {actions.length > 0 && (
                <Group heading="On this page">
                  {actions.map((shortcut) => (
                    <Item
                      key={keysOf(shortcut).join()}
                      value={`${shortcut.section ?? ""} ${shortcut.label}`}
                      keys={keysOf(shortcut)[0]}
                      onSelect={() => close(shortcut.run)}
                    >
                      {shortcut.label}
                    </Item>
                  ))}
                </Group>
              )}
              <Group heading="Go to">
                {palettePages(me).map(({ path, label, keys }) => (
                  <Item key={path} value={`go to ${label}`} keys={keys} onSelect={() => go(path)}>
                    {label}
                  </Item>
                ))}
              </Group>
              <OpenQuestions
                isSearch={text !== ""}
                onOpen={(questionId) => close(() => openQuestion(questionId, router.push))}
              />
              <TaskItems text={text.trim()} onGo={go} />
              <TaskTypes onGo={go} />
              <Settings close={close} signsIn={me?.signIn ?? false} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function OpenQuestions({
  isSearch,
  onOpen,
}: {
  isSearch: boolean;
  onOpen: (questionId: string) => void;
}) {
  const { data } = useInfiniteQuery({ ...queries.openQuestions(), enabled: isSearch });
  const open = data?.pages.flatMap(({ items }) => items).filter(({ outcome }) => outcome === null);
  // A list of everything that waits is what the inbox is for.
  if (!isSearch || !open?.length) return null;
  return (
    <Group heading="Open questions">
      {open.slice(0, maxQuestions).map(({ questionId, prompt, taskType }) => (
        <Item
          key={questionId}
          value={`${prompt.slice(0, 500)} ${taskType} ${questionId}`}
          onSelect={() => onOpen(questionId)}
        >
          <bdi className="min-w-0 flex-1 truncate">{promptLine(prompt)}</bdi>
          <bdi className="max-w-40 truncate text-ink-3 text-sm">{taskType}</bdi>
        </Item>
      ))}
    </Group>
  );
}

function TaskTypes({ onGo }: { onGo: (path: string) => void }) {
  const { data } = useQuery(queries.types());
  const mayStart = useMay("tasks:start");
  if (!mayStart || !data?.length) return null;
  return (
    <Group heading="Start a task">
      {data.map(({ type, title }) => (
        <Item
          key={type}
          value={`start ${title} ${type}`}
          onSelect={() => onGo(`/start?type=${encodeURIComponent(type)}`)}
        >
          <bdi className="truncate">Start: {title}</bdi>
          {title !== type && <bdi className="truncate font-mono text-ink-3 text-sm">{type}</bdi>}
        </Item>
      ))}
    </Group>
  );
}

const themes = [
  ["light", "Theme: light"],
  ["dark", "Theme: dark"],
  ["system", "Theme: as the system"],
] as const;

function Settings({ close, signsIn }: { close: (then: () => void) => void; signsIn: boolean }) {
  const { setTheme } = useTheme();
  const isHeld = undoPreference.get();
  const leave = () =>
    signOut().catch((error: Error) => {
      notify({ title: "You are still signed in", detail: error.message, tone: "bad" });
    });
  return (
    <Group heading="Settings">
      {themes.map(([theme, label]) => (
        <Item key={theme} value={label} onSelect={() => close(() => setTheme(theme))}>
          {label}
        </Item>
      ))}
      <Item
        value="Undo: hold answers back for a few seconds"
        onSelect={() => close(() => undoPreference.set(!isHeld))}
      >
        {isHeld ? "Send answers at once, without undo" : "Hold answers back, with undo"}
      </Item>
      <Item
        value="Keyboard shortcuts help"
        keys="?"
        onSelect={() => close(() => overlay.open("help"))}
      >
        Show what the keyboard does
      </Item>
      {signsIn && (
        <Item value="Sign out log out" onSelect={() => close(() => void leave())}>
          Sign out
        </Item>
      )}
    </Group>
  );
}
