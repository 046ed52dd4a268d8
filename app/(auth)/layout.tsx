import type { ReactNode } from "react";
import { SkipLink } from "#components/shell/app-shell.tsx";
import { Mark } from "#components/shell/mark.tsx";
import { SourceNote } from "#components/shell/source-note.tsx";
import { env } from "#lib/base/env.ts";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <div className="flex min-h-dvh flex-col items-center px-4 pt-[12vh] pb-8">
        <header className="mb-6 flex items-center gap-2 text-16 font-semibold tracking-tight">
          <Mark className="size-7 text-accent" />
          Sluice
        </header>
        <main
          id="content"
          tabIndex={-1}
          className="w-full max-w-sm rounded-lg border border-line bg-surface p-6 focus-visible:outline-none"
        >
          {children}
        </main>
        <footer className="mt-4">
          <SourceNote url={env().SOURCE_URL} />
        </footer>
      </div>
    </>
  );
}
