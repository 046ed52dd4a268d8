import type { Metadata } from "next";
import { StreamActions } from "#components/streams/stream-actions.tsx";
import { StreamsHead } from "#components/streams/streams-head.tsx";
import { StreamTable } from "#components/streams/stream-table.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { newStreamSettings } from "#lib/collect/streams.ts";
import { listStreams } from "#lib/collect/streams.ts";

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
      <StreamsHead current="/streams" actions={<StreamActions {...props} />} />
      <StreamTable {...props} />
    </>
  );
}
