import type { Metadata } from "next";
import Link from "next/link";
import { buttonClass } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/notice.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <EmptyState
      isPage
      title="There is no such page"
      action={
        <Link href="/tasks" className={buttonClass()}>
          See the tasks
        </Link>
      }
    >
      The address may be mistyped, or the link may be from another installation.
    </EmptyState>
  );
}
