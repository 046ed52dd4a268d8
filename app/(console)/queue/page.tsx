import type { Metadata } from "next";
import { QueueBoard } from "#components/queue/queue-board.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { QueueActions } from "#components/queue/queue-actions.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { queueOverview } from "#lib/queue/queue-overview.ts";
import { getErrorStats } from "#lib/stats/get-stats.ts";

export const metadata: Metadata = { title: words.queue.title };

export default async function QueuePage() {
  await requireMember();
  const [overview, errors] = await Promise.all([queueOverview(), getErrorStats()]);
  return (
    <>
      <PageHeader
        title={words.queue.title}
        description={words.queue.description}
        actions={<QueueActions />}
      />
      <QueueBoard overview={overview} errors={errors} />
    </>
  );
}
