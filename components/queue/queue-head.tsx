import type { ReactNode } from "react";
import { PageHeader } from "#components/shell/page-header.tsx";
import { LinkTabs } from "#components/ui/tabs.tsx";

const tabs = {
  "/queue": "Approved posts, waiting for boost bots.",
  "/queue/topical": "Hashtags that are delivered first on certain days, to boost bots that ask for it.",
} as const;

export interface QueueHeadProps {
  current: keyof typeof tabs;
  actions?: ReactNode;
}

/** Title, actions and tabs of the pages of the queue. */
export function QueueHead({ current, actions }: QueueHeadProps) {
  return (
    <PageHeader title="Queue" description={tabs[current]} actions={actions}>
      <LinkTabs
        label="Queue"
        tabs={[
          { href: "/queue", label: "Posts", current: current === "/queue" },
          { href: "/queue/topical", label: "Topical", current: current === "/queue/topical" },
        ]}
      />
    </PageHeader>
  );
}
