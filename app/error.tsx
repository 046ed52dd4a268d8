"use client";
import { digestOf, PageErrorMessage } from "#components/shell/page-error.tsx";

export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <div className="flex min-h-[60dvh] items-center justify-center">
      <PageErrorMessage
        title="This page failed to load"
        hint="Your work is saved. Try again. If the error persists, search the log for the request id."
        requestId={digestOf(error)}
        onRetry={retry}
      />
    </div>
  );
}
