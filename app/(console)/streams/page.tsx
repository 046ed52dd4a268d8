import type { Metadata } from "next";
import { PageHeader } from "#components/shell/page-header.tsx";
import { StreamActions } from "#components/streams/stream-actions.tsx";
import { StreamTable } from "#components/streams/stream-table.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { newStreamSettings } from "#lib/collect/change-streams.ts";
import { listStreams } from "#lib/collect/read-streams.ts";

export const metadata: Metadata = { title: "Streams" };

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
        title="Streams"
        description="Hashtags to fetch, each from one server."
        actions={<StreamActions {...props} />}
      />
      <StreamTable {...props} />
    </>
  );
}
