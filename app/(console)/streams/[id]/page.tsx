import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { StreamPage } from "#components/streams/stream-page.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { ApiError } from "#lib/errors.ts";
import { MAX_ID } from "#lib/http/fields.ts";
import { getStream, listFetchRuns } from "#lib/streams/read-streams.ts";

export const metadata: Metadata = { title: words.streams.title };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  await requireMember();
  const raw = (await params).id;
  const id = /^\d{1,10}$/.test(raw) ? Number(raw) : 0;
  if (id === 0 || id > MAX_ID) notFound();
  const [stream, runs] = await Promise.all([getStream(id), listFetchRuns(id, 20)]).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) notFound();
    throw error;
  });
  return <StreamPage stream={stream} runs={runs} />;
}
