"use client";
import NextLink from "next/link";
import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** On phones the last tab in view fades out, because tabs may follow it. */
const list =
  "flex gap-4 overflow-x-auto border-b border-line [scrollbar-width:none] max-desk:pe-8 " +
  "max-desk:[mask-image:linear-gradient(to_left,transparent,black_2rem)] " +
  "max-desk:rtl:[mask-image:linear-gradient(to_right,transparent,black_2rem)]";
const tab =
  "-mb-px inline-flex h-control items-center gap-1.5 border-b-2 border-transparent text-14 font-medium whitespace-nowrap " +
  "text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-accent " +
  "data-[state=active]:text-text aria-[current=page]:border-accent aria-[current=page]:text-text";

export interface TabsProps {
  label: string;
  tabs: readonly { value: string; label: ReactNode; content: ReactNode }[];
  className?: string;
}

/** Use LinkTabs when each panel has its own address. */
export function Tabs({ label, tabs, className }: TabsProps) {
  return (
    <Radix.Root className={className} defaultValue={tabs[0]?.value ?? ""}>
      <Radix.List aria-label={label} className={list}>
        {tabs.map((entry) => (
          <Radix.Trigger key={entry.value} value={entry.value} className={tab}>
            {entry.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((entry) => (
        <Radix.Content key={entry.value} value={entry.value} className="pt-4 focus-visible:outline-offset-4">
          {entry.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

export interface LinkTabsProps {
  label: string;
  tabs: readonly { href: string; label: ReactNode; current: boolean }[];
}

/** Each tab is a link, so Back works. */
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
