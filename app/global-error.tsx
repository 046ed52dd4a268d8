"use client";
import { PageErrorMessage } from "#components/shell/page-error.tsx";
import { common } from "#components/words/en/common.ts";
import "./globals.css";

/** Replaces the root layout, so it has system colours and fonts. */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>{common.pageFailed}</title>
        <main className="flex min-h-dvh items-center justify-center">
          <PageErrorMessage title={common.pageFailed} hint={common.pageFailedHint} onRetry={retry} />
        </main>
      </body>
    </html>
  );
}
