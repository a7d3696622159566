import type { Metadata } from "next";
import { EnterByLink } from "@/components/entry/enter-by-link.tsx";

export const metadata: Metadata = { title: "Invite" };

export default function Page() {
  return <EnterByLink kind="invite" />;
}
