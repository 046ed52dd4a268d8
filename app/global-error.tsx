"use client";
import { ErrorState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import "./globals.css";

/** The root layout itself threw: a document of its own, in the system's colours and font. */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>{words.common.pageFailed}</title>
        <main className="flex min-h-dvh items-center justify-center">
          <ErrorState title={words.common.pageFailed} onRetry={retry}>
            {words.common.pageFailedHint}
          </ErrorState>
        </main>
      </body>
    </html>
  );
}
