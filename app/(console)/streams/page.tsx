import type { Metadata } from "next";
import { PageHeader } from "#components/shell/page-header.tsx";
import { StreamActions } from "#components/streams/stream-actions.tsx";
import { StreamTable } from "#components/streams/stream-table.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { newStreamSettings } from "#lib/collect/change-streams.ts";
import { listStreams } from "#lib/collect/read-streams.ts";

export const metadata: Metadata = { title: words.streams.title };

export default async function StreamsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await requireMember();
  const adding = (await searchParams).add === "1";
  const defaults = newStreamSettings();
  const streams = await listStreams({ skip: 0, limit: 1000 });
  const props = { streams, defaults, adding };
  return (
    <>
      <PageHeader
        title={words.streams.title}
        description={words.streams.description}
        actions={<StreamActions {...props} />}
      />
      <StreamTable {...props} />
    </>
  );
}
