"use client";

import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { buttonClass } from "../ui/button.tsx";
import { noticeBoard } from "./notify.ts";

const defaultSeconds = 5;

const classNames = {
  toast:
    "flex w-full items-start gap-3 rounded-lg border bg-surface py-2.5 pr-2.5 pl-4 text-base text-ink shadow-overlay sm:w-88",
  content: "min-w-0 flex-1 py-1",
  title: "task-text font-medium",
  description: "task-text mt-0.5 line-clamp-3 text-ink-2 text-sm",
  actionButton: buttonClass({ size: "sm" }),
  closeButton: "hidden",
};

/** Shows what `notify` is told. */
export default function Toaster() {
  useEffect(() => {
    noticeBoard.set({
      show({ id, title, detail, tone, action, seconds }) {
        const isBad = tone === "bad";
        const say = isBad ? toast.error : toast;
        const stays = seconds ?? (isBad ? Number.POSITIVE_INFINITY : defaultSeconds);
        say(title, {
          id,
          description: detail,
          duration: stays === Number.POSITIVE_INFINITY ? stays : stays * 1000,
          action: action
            ? { label: action.label, onClick: action.run }
            : isBad
              ? { label: "Dismiss", onClick: () => {} }
              : undefined,
        });
      },
      dismiss: (id) => {
        toast.dismiss(id);
      },
    });
    return () => noticeBoard.set(null);
  }, []);
  return (
    <Sonner
      containerAriaLabel="Notices"
      position="bottom-right"
      offset={20}
      // Above the bar of the phone.
      mobileOffset={{ bottom: 72, left: 12, right: 12 }}
      icons={{ error: null }}
      toastOptions={{ unstyled: true, classNames }}
    />
  );
}
