import type { Metadata } from "next";
import { Suspense } from "react";
import { OverviewPage } from "@/components/overview/overview-page.tsx";

export const metadata: Metadata = { title: "Overview" };

export default function Overview() {
  return (
    // The range is in the URL, which only the browser knows while this page is built.
    <Suspense>
      <OverviewPage />
    </Suspense>
  );
}
