import type { ReactNode } from "react";
import { LinkTabs } from "#components/ui/tabs.tsx";
import { PageHeader } from "./page-header.tsx";

/** Menu entries with several pages, each a tab. */
const sections = {
  Queue: {
    "/queue": { title: "Queue", tab: "Posts", description: "Approved posts, waiting for boost bots." },
    "/queue/topical": {
      title: "Queue",
      tab: "Topical",
      description: "Hashtags that are delivered first on certain days, to boost bots that ask for it.",
    },
  },
  "Streams and blocking": {
    "/streams": {
      title: "Streams",
      tab: "Streams",
      description: "Hashtags to fetch, each from one server.",
    },
    "/blocking": {
      title: "Blocking",
      tab: "Blocking",
      description: "Posts rejected on fetch, and posts held back from boost bots.",
    },
  },
} as const;

type Current<Name extends keyof typeof sections> = keyof (typeof sections)[Name] & string;

/** Title, actions and tabs of a page of a section. */
export function SectionHead<Name extends keyof typeof sections>({
  section,
  current,
  actions,
}: {
  section: Name;
  current: Current<Name>;
  actions?: ReactNode;
}) {
  const pages: Record<string, { title: string; tab: string; description: string }> = sections[section];
  const { title = "", description } = pages[current] ?? {};
  return (
    <PageHeader title={title} description={description} actions={actions}>
      <LinkTabs
        label={section}
        tabs={Object.entries(pages).map(([href, { tab }]) => ({
          href,
          label: tab,
          current: href === current,
        }))}
      />
    </PageHeader>
  );
}
