"use client";
import { ErrorState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";

/** A page that threw. The digest is what the server's log has for it; the message stays there. */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <div className="flex min-h-[60dvh] items-center justify-center">
      <ErrorState title={words.common.pageFailed} requestId={digestOf(error)} onRetry={retry}>
        {words.common.pageFailedHint}
      </ErrorState>
    </div>
  );
}

function digestOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("digest" in error)) return null;
  return typeof error.digest === "string" ? error.digest : null;
}
