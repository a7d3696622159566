"use client";

import { ErrorState } from "@/components/ui/notice.tsx";

export default function ErrorPage({ reset }: { error: Error; reset: () => void }) {
  return (
    <ErrorState
      isPage
      message="This page made a mistake. The tasks themselves are not touched by it."
      onRetry={reset}
    />
  );
}
