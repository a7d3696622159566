import type { ReactNode } from "react";
import { AttentionPart } from "../attention/attention-part.tsx";
import { Keyboard } from "../keyboard/keyboard.tsx";
import { PaletteButton } from "../palette/palette-button.tsx";
import { PendingAnswers } from "../questions/pending-answers.tsx";
import { Toasts } from "../toasts/toasts.tsx";
import { IntentLink } from "../ui/intent-link.tsx";
import { ConnectionStatus, LostBanner } from "./connection-status.tsx";
import { Logo } from "./logo.tsx";
import { NavLinks } from "./nav-links.tsx";
import { NotificationsLink } from "./notifications-link.tsx";
import { SignedIn } from "./signed-in.tsx";
import { TabTitle } from "./tab-title.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

/** The frame of every page: a sidebar where there is room, bars above and below on a phone. */
export function AppShell({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col md:grid md:h-dvh md:min-h-0 md:grid-cols-[13rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-ink px-3 py-2 text-on-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>

      <header className="sticky top-0 z-30 flex h-12 items-center gap-3 border-b bg-canvas px-4 md:hidden">
        <Brand />
        <ConnectionStatus className="ml-auto" isTight />
        <PaletteButton layout="icon" />
        <NotificationsLink layout="icon" />
        <ThemeSwitch />
        <SignedIn part="user-icon" />
      </header>

      <aside className="hidden min-h-0 flex-col border-r px-3 pt-4 pb-3 md:flex">
        <Brand />
        <PaletteButton layout="column" />
        <nav aria-label="Main" className="mt-4 flex flex-col gap-0.5">
          <NavLinks layout="column" />
        </nav>
        <SignedIn part="admin" />
        <div className="mt-auto mb-2 flex flex-col gap-0.5">
          <NotificationsLink layout="column" />
          <SignedIn part="user" />
        </div>
        <div className="flex items-center justify-between gap-2 pl-2">
          <ConnectionStatus />
          <ThemeSwitch />
        </div>
      </aside>

      <main
        id="content"
        tabIndex={-1}
        className="flex min-w-0 flex-1 flex-col outline-none max-md:pb-16 md:min-h-0 md:overflow-y-auto"
      >
        <LostBanner />
        {children}
      </main>

      <nav
        aria-label="Main"
        className="fixed inset-x-0 bottom-0 z-30 grid h-14 auto-cols-fr grid-flow-col border-t bg-canvas pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        <NavLinks layout="row" />
      </nav>
      <TabTitle />
      <AttentionPart />
      <Keyboard />
      <PendingAnswers />
      <Toasts />
    </div>
  );
}

function Brand() {
  return (
    <IntentLink href="/" className="flex items-center gap-2 rounded-sm px-2 font-semibold text-lg">
      <Logo className="size-5" />
      toolthread
    </IntentLink>
  );
}
