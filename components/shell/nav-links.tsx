"use client";

import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn, Inbox, ListTree, Plus, ScrollText } from "lucide-react";
import { usePathname } from "next/navigation";
import { queries, useMay } from "../api/queries.ts";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";

const destinations = [
  { href: "/", label: "Inbox", Icon: Inbox },
  { href: "/tasks", label: "Tasks", Icon: ListTree },
  { href: "/overview", label: "Overview", Icon: ChartNoAxesColumn },
  { href: "/start", label: "Start a task", Icon: Plus },
  // Where people sign in it stands among the places for admins.
  { href: "/audit", label: "Audit", Icon: ScrollText },
];

/** The places there are, with the number of open questions at the inbox. */
export function NavLinks({ layout }: { layout: "column" | "row" }) {
  const pathname = usePathname();
  const { data } = useQuery(queries.stats());
  const mayStart = useMay("tasks:start");
  const isOpen = useQuery(queries.me()).data?.signIn === false;
  return destinations.map(({ href, label, Icon }) => {
    if (href === "/start" && !mayStart) return null;
    if (href === "/audit" && !isOpen) return null;
    const isHere = href === "/" ? pathname === "/" : pathname.startsWith(href);
    return (
      <IntentLink
        key={href}
        href={href}
        aria-current={isHere ? "page" : undefined}
        className={cn(
          "relative flex items-center rounded-md text-ink-2 transition-colors duration-100 hover:text-ink",
          "aria-[current]:font-medium aria-[current]:text-ink",
          layout === "column"
            ? "h-8 gap-2.5 px-2 hover:bg-hover aria-[current]:bg-hover"
            : "flex-col justify-center gap-0.5 text-sm",
        )}
      >
        <Icon className="size-4 shrink-0" aria-hidden="true" />
        {label}
        {href === "/" && data && data.openQuestions > 0 && (
          <Badge count={data.openQuestions} layout={layout} />
        )}
      </IntentLink>
    );
  });
}

function Badge({ count, layout }: { count: number; layout: "column" | "row" }) {
  return (
    <span
      className={cn(
        "tabular inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-waiting-tint px-1.5 font-semibold text-waiting text-xs",
        layout === "column" ? "ml-auto" : "absolute top-1 left-[calc(50%+0.5rem)]",
      )}
    >
      {count}
      <span className="sr-only"> open {count === 1 ? "question" : "questions"}</span>
    </span>
  );
}
