import type { Metadata } from "next";
import { Mark } from "#components/shell/mark.tsx";
import { NotFoundMessage } from "#components/shell/not-found-message.tsx";
import { SourceNote } from "#components/shell/source-note.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { env } from "#lib/base/env.ts";

export const metadata: Metadata = { title: "This page does not exist" };

export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-1 px-6 text-center">
      <Mark className="mb-4 size-8 text-accent" />
      <NotFoundMessage />
      {/* Next's link would add 3 kB to every page. */}
      <a href="/" className={buttonClass("quiet", "md", "mt-5")}>
        Go to the start page
      </a>
      <SourceNote url={env().SOURCE_URL} className="mt-5" />
    </main>
  );
}
