import type { Metadata } from "next";
import { EnterByLink } from "@/components/entry/enter-by-link.tsx";

export const metadata: Metadata = { title: "Set up" };

export default function Page() {
  return <EnterByLink kind="set_up" />;
}
