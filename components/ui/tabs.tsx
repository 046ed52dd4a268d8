import NextLink from "next/link";
import type { ReactNode } from "react";

/** On phones the list fades out at its end, because more tabs may follow. */
const list =
  "flex gap-4 overflow-x-auto border-b border-line [scrollbar-width:none] max-desk:pe-8 " +
  "max-desk:[mask-image:linear-gradient(to_left,transparent,black_2rem)] " +
  "max-desk:rtl:[mask-image:linear-gradient(to_right,transparent,black_2rem)]";
const tab =
  "-mb-px inline-flex h-control items-center gap-1.5 border-b-2 border-transparent text-14 font-medium whitespace-nowrap " +
  "text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 " +
  "aria-[current=page]:border-accent aria-[current=page]:text-text";

export interface LinkTabsProps {
  label: string;
  tabs: readonly { href: string; label: ReactNode; current: boolean }[];
}

/** Tabs as links, so that the Back button works. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  return (
    <nav aria-label={label} className={list}>
      {tabs.map((entry) => (
        <NextLink
          key={entry.href}
          href={entry.href}
          aria-current={entry.current ? "page" : undefined}
          className={tab}
        >
          {entry.label}
        </NextLink>
      ))}
    </nav>
  );
}
