"use client";
import { PageErrorMessage } from "#components/shell/page-error.tsx";

/** The digest names the error in the server's log; the message stays there. */
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

function digestOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("digest" in error)) return null;
  return typeof error.digest === "string" ? error.digest : null;
}
