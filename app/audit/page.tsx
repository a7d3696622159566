import type { Metadata } from "next";
import { Suspense } from "react";
import { AuditPage } from "@/components/audit/audit-page.tsx";

export const metadata: Metadata = { title: "Audit" };

export default function Page() {
  return (
    // The filters are in the URL, which only the browser knows while this page is built.
    <Suspense>
      <AuditPage />
    </Suspense>
  );
}
