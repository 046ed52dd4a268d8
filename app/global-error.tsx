"use client";
import { PageErrorMessage } from "#components/shell/page-error.tsx";
import "./globals.css";

/** Shown when the root layout fails, so without the member's theme and the web font. */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>This page failed to load</title>
        <main className="flex min-h-dvh items-center justify-center">
          <PageErrorMessage
            title="This page failed to load"
            hint="Your work is saved. Try again. If the error persists, search the log for the request id."
            onRetry={retry}
          />
        </main>
      </body>
    </html>
  );
}
