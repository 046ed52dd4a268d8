import type { ReactNode } from "react";
import { PageHeader } from "#components/shell/page-header.tsx";
import { LinkTabs } from "#components/ui/tabs.tsx";

const tabs = {
  "/streams": { title: "Streams", description: "Hashtags to fetch, each from one server." },
  "/blocking": {
    title: "Blocking",
    description: "Posts rejected on fetch, and posts held back from boost bots.",
  },
} as const;

/** Title, actions and tabs of the pages about what comes in. */
export function StreamsHead({ current, actions }: { current: keyof typeof tabs; actions?: ReactNode }) {
  return (
    <PageHeader {...tabs[current]} actions={actions}>
      <LinkTabs
        label="Streams and blocking"
        tabs={Object.entries(tabs).map(([href, { title }]) => ({
          href,
          label: title,
          current: href === current,
        }))}
      />
    </PageHeader>
  );
}
