import type { ReactNode } from "react";
import { PageHeader } from "#components/shell/page-header.tsx";
import { LinkTabs } from "#components/ui/tabs.tsx";
import { words } from "#components/words/en.ts";

const tabs = {
  "/queue": words.queue,
  "/queue/topical": words.topical,
} as const;

export interface QueueHeadProps {
  current: keyof typeof tabs;
  actions?: ReactNode;
}

/** Title, actions and tabs of the pages of the queue. */
export function QueueHead({ current, actions }: QueueHeadProps) {
  return (
    <PageHeader title={words.queue.title} description={tabs[current].description} actions={actions}>
      <LinkTabs
        label={words.queue.title}
        tabs={[
          { href: "/queue", label: words.queue.tab, current: current === "/queue" },
          { href: "/queue/topical", label: words.topical.title, current: current === "/queue/topical" },
        ]}
      />
    </PageHeader>
  );
}
