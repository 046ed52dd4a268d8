"use client";
import { PageTrouble } from "#components/shell/page-trouble.tsx";
import { common } from "#components/words/en/common.ts";

/** A page that threw. The digest is what the server's log has for it; the message stays there. */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <div className="flex min-h-[60dvh] items-center justify-center">
      <PageTrouble
        title={common.pageFailed}
        hint={common.pageFailedHint}
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
