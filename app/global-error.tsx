"use client";
import { PageTrouble } from "#components/shell/page-trouble.tsx";
import { common } from "#components/words/en/common.ts";
import "./globals.css";

/** The root layout itself threw: a document of its own, in the system's colours and font. */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>{common.pageFailed}</title>
        <main className="flex min-h-dvh items-center justify-center">
          <PageTrouble title={common.pageFailed} hint={common.pageFailedHint} onRetry={retry} />
        </main>
      </body>
    </html>
  );
}
