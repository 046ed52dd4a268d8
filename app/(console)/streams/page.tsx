import type { Metadata } from "next";
import { StreamActions } from "#components/streams/stream-actions.tsx";
import { StreamTable } from "#components/streams/stream-table.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { env } from "#lib/env.ts";
import { listStreams } from "#lib/streams/read-streams.ts";

export const metadata: Metadata = { title: words.streams.title };

export default async function StreamsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await requireMember();
  const adding = (await searchParams).add === "1";
  const streams = await listStreams({ skip: 0, limit: 1000 });
  return (
    <>
      <PageHeader
        title={words.streams.title}
        description={words.streams.description}
        actions={<StreamActions defaultInstance={env().DEFAULT_INSTANCE} adding={adding} />}
      />
      <StreamTable streams={streams} defaultInstance={env().DEFAULT_INSTANCE} />
    </>
  );
}
