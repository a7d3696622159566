import type { Metadata } from "next";
import { Suspense } from "react";
import { StartPage } from "@/components/start/start-page.tsx";

export const metadata: Metadata = { title: "Start a task" };

export default function Page() {
  return (
    <Suspense>
      <StartPage />
    </Suspense>
  );
}
