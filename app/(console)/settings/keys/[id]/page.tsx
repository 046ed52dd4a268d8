import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { BackLink } from "#components/shell/page-header.tsx";
import { DefinitionList, Panel } from "#components/ui/card.tsx";
import { Expiry, RelativeTime } from "#components/ui/relative-time.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { keyStatus } from "#lib/accounts/api-keys.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";
import { listStreams } from "#lib/collect/streams.ts";
import { getBotTotals } from "#lib/stats/get-overview.ts";
import { Scopes, streamNames } from "../key-facts.tsx";

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
  return { title: `${(await keyOf((await params).id)).name} · Bots` };
}

export default async function KeyPage({ params }: Props) {
  const key = await keyOf((await params).id);
  const [totals, streams] = await Promise.all([
    getBotTotals(key.id, DAYS),
    listStreams({ skip: 0, limit: 1000 }),
  ]);
  return (
    <div className="space-y-6">
      <div>
        <BackLink href="/settings/keys" label="All keys" />
        <h2 className="text-20 font-semibold wrap-anywhere">{key.name}</h2>
        <p className="text-13 text-muted">
          <code className="font-mono">
            {key.prefix}…{key.last_characters}
          </code>{" "}
          · Created by {key.created_by} · Last asked <RelativeTime at={key.last_asked_at} fallback="Never" />
        </p>
      </div>
      <StatRow>
        <Stat figure="bot_delivered" label="Delivered" value={totals.delivered} hint={`Last ${DAYS} days`} />
        <Stat figure="bot_errors" label="Errors" value={totals.errors} hint={`Last ${DAYS} days`} />
      </StatRow>
      <Panel title="Rights">
        <DefinitionList
          items={[
            { term: "Scopes", value: <Scopes of={key} /> },
            { term: "Streams", value: streamNames(key.stream_ids, streams.items) },
            { term: "Expires", value: <Expiry at={key.expires_at} fallback="Never" /> },
          ]}
        />
      </Panel>
    </div>
  );
}
