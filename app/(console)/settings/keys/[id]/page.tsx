import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { KeyPage } from "#components/settings/keys/key-page.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/errors.ts";
import { MAX_ID } from "#lib/http/fields.ts";
import { keyFigures } from "#lib/keys/key-page.ts";
import { listStreams } from "#lib/streams/read-streams.ts";

export const metadata: Metadata = { title: words.settings.key };

const DAYS = 30;

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const member = await requireMember();
  const raw = (await params).id;
  const id = /^\d{1,10}$/.test(raw) ? Number(raw) : 0;
  if (id === 0 || id > MAX_ID) notFound();
  const [figures, streams] = await Promise.all([
    keyFigures({ role: member.role, member_id: member.id }, id, DAYS),
    listStreams({ skip: 0, limit: 1000 }),
  ]).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) notFound();
    throw error;
  });
  const names = streams.items.map(({ id: stream, hashtag, instance }) => ({ id: stream, hashtag, instance }));
  return <KeyPage figures={figures} streams={names} publicUrl={env().PUBLIC_URL} />;
}
