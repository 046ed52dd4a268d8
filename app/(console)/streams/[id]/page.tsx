import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { streamName } from "#components/streams/stream-name.ts";
import { StreamPage } from "#components/streams/stream-page.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { ApiError } from "#lib/base/errors.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";
import { getStream, listFetchRuns } from "#lib/collect/streams.ts";

interface Props {
  params: Promise<{ id: string }>;
}

/** 0 if the address has no valid id. */
async function idOf({ params }: Props): Promise<number> {
  const raw = (await params).id;
  const id = /^\d{1,10}$/.test(raw) ? Number(raw) : 0;
  return id > MAX_ID ? 0 : id;
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  await requireMember();
  const stream = await getStream(await idOf(props)).catch(() => null);
  return { title: stream === null ? "Streams" : streamName(stream) };
}

export default async function Page(props: Props) {
  await requireMember();
  const id = await idOf(props);
  if (id === 0) notFound();
  const [stream, runs] = await Promise.all([getStream(id), listFetchRuns(id, 20)]).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) notFound();
    throw error;
  });
  return <StreamPage stream={stream} runs={runs} />;
}
