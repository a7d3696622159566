"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound, Settings, Users } from "lucide-react";
import { usePathname } from "next/navigation";
import type { Permission } from "@/server/core/permission.ts";
import { queries } from "../api/queries.ts";
import { IntentLink } from "../ui/intent-link.tsx";

const destinations: { href: string; label: string; Icon: typeof Users; needs: Permission }[] = [
  { href: "/keys", label: "Agent keys", Icon: KeyRound, needs: "keys:manage" },
  { href: "/people", label: "People", Icon: Users, needs: "people:manage" },
  { href: "/settings", label: "Settings", Icon: Settings, needs: "settings:manage" },
];

/** The places for admins; nothing for everybody else, and where nobody signs in. */
export function AdminLinks() {
  const pathname = usePathname();
  const { data } = useQuery(queries.me());
  if (!data?.signIn) return null;
  const shown = destinations.filter(({ needs }) => data.permissions.includes(needs));
  if (shown.length === 0) return null;
  return (
    <nav aria-label="Administration" className="mt-4 flex flex-col gap-0.5 border-t pt-4">
      {shown.map(({ href, label, Icon }) => (
        <IntentLink
          key={href}
          href={href}
          aria-current={pathname.startsWith(href) ? "page" : undefined}
          className="flex h-8 items-center gap-2.5 rounded-md px-2 text-ink-2 transition-colors duration-100 hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-ink"
        >
          <Icon className="size-4 shrink-0" aria-hidden="true" />
          {label}
        </IntentLink>
      ))}
    </nav>
  );
}
