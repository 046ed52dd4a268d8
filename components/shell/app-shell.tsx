import type { ReactNode } from "react";
import { BottomBar } from "./bottom-bar.tsx";
import { SideNav } from "./side-nav.tsx";

export interface AppShellProps {
  /** The link to the source code. */
  source: ReactNode;
  /** The number beside Review. */
  waiting: ReactNode;
  children: ReactNode;
}

export function AppShell({ source, waiting, children }: AppShellProps) {
  return (
    <div className="flex min-h-dvh">
      <SkipLink />
      <SideNav source={source} waiting={waiting} />
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 pb-20 focus-visible:outline-none desk:pb-0">
        <div className="mx-auto max-w-page px-4 py-4 desk:px-6 desk:py-6 wide:px-8">{children}</div>
      </main>
      <BottomBar source={source} waiting={waiting} />
    </div>
  );
}

export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed start-3 top-3 z-50 -translate-y-20 rounded-md border border-line-strong bg-raised px-3 py-2 text-14 font-medium focus-visible:translate-y-0"
    >
      Skip to content
    </a>
  );
}
