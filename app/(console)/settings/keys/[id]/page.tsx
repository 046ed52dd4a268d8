import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { KeyPage } from "#components/settings/keys/key-page.tsx";
import { keyStatus } from "#lib/accounts/api-keys.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";
import { listStreams } from "#lib/collect/read-streams.ts";
import { getBotTotals } from "#lib/stats/get-overview.ts";

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
  return { title: `${name} · Bots` };
}

export default async function Page({ params }: Props) {
  const key = await keyOf((await params).id);
  const [totals, streams] = await Promise.all([
    getBotTotals(key.id, DAYS),
    listStreams({ skip: 0, limit: 1000 }),
  ]);
  const names = streams.items.map(({ id, hashtag, instance }) => ({ id, hashtag, instance }));
  return <KeyPage apiKey={key} totals={totals} streams={names} />;
}
