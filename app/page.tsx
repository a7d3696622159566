import type { Metadata } from "next";
import { Inbox } from "@/components/questions/inbox.tsx";

export const metadata: Metadata = { title: { absolute: "Inbox · toolthread" } };

export default function InboxPage() {
  return <Inbox />;
}
