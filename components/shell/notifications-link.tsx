"use client";

import { Bell } from "lucide-react";
import { usePathname } from "next/navigation";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";

/** The way to what this browser tells of, and how. */
export function NotificationsLink({ layout }: { layout: "column" | "icon" }) {
  const isHere = usePathname() === "/notifications";
  return (
    <IntentLink
      href="/notifications"
      title="Notifications"
      aria-current={isHere ? "page" : undefined}
      className={cn(
        "flex items-center rounded-md text-ink-2 transition-colors duration-100 hover:bg-hover hover:text-ink",
        "aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-ink",
        layout === "column" ? "h-8 gap-2.5 px-2" : "size-7 justify-center",
      )}
    >
      <Bell className="size-4 shrink-0" aria-hidden="true" />
      <span className={layout === "icon" ? "sr-only" : undefined}>Notifications</span>
    </IntentLink>
  );
}
