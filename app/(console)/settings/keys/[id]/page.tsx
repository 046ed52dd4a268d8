import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { KeyPage } from "#components/settings/keys/key-page.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { scopesOf } from "#lib/auth/permissions.ts";
import { keyStatus } from "#lib/keys/api-keys.ts";
import { botTotals } from "#lib/stats/bot-totals.ts";
import { listStreams } from "#lib/streams/read-streams.ts";

const DAYS = 30;

interface Props {
  params: Promise<{ id: string }>;
}

/** Cached for metadata and page. Unknown keys answer 404. */
const keyOf = cache(async (raw: string) => {
  const { id, role } = await requireMember();
  const { keys } = await keyStatus({ scopes: scopesOf(role), member_id: id });
  return keys.find((key) => String(key.id) === raw) ?? notFound();
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await keyOf((await params).id);
  return { title: `${name} · ${words.settings.keys}` };
}

export default async function Page({ params }: Props) {
  const key = await keyOf((await params).id);
  const [totals, streams] = await Promise.all([
    botTotals(key.id, DAYS),
    listStreams({ skip: 0, limit: 1000 }),
  ]);
  const names = streams.items.map(({ id, hashtag, instance }) => ({ id, hashtag, instance }));
  return <KeyPage apiKey={key} totals={totals} streams={names} />;
}
