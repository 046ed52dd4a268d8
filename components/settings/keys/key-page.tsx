import { BackLink } from "#components/shell/page-header.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Expiry, RelativeTime } from "#components/ui/relative-time.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { words } from "#components/words/en.ts";
import type { ApiKey } from "#lib/accounts/key-schema.ts";
import type { BotTotals } from "#lib/stats/bot-totals.ts";
import { streamNames, type NamedStream } from "./key-facts.ts";
import { RevokeButton } from "./revoke-button.tsx";

const w = words.settings;
const p = w.keyPage;

export function KeyPage({
  apiKey,
  totals,
  streams,
}: {
  apiKey: ApiKey;
  /** Of the last 30 days. */
  totals: BotTotals;
  streams: NamedStream[];
}) {
  return (
    <div className="space-y-6">
      <div>
        <BackLink href="/settings/keys" label={w.allKeys} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="min-w-0">
            <h2 className="text-20 font-semibold wrap-anywhere">{apiKey.name}</h2>
            <p className="text-13 text-muted">
              <code className="font-mono">
                {apiKey.prefix}…{apiKey.last_characters}
              </code>{" "}
              · {w.madeBy} {apiKey.created_by} · {p.lastSeen}{" "}
              <RelativeTime at={apiKey.last_asked_at} fallback={w.never} />
            </p>
          </div>
          <RevokeButton apiKey={apiKey} leads="/settings/keys" />
        </div>
      </div>
      <StatRow>
        <Stat figure="bot_delivered" label={p.delivered} value={totals.delivered} hint={p.days} />
        <Stat figure="bot_errors" label={p.errors} value={totals.errors} hint={p.days} />
      </StatRow>
      <Panel title={p.facts}>
        <dl className="grid gap-x-6 gap-y-3 text-13 desk:grid-cols-3">
          <div>
            <dt className="text-muted">{w.scopes}</dt>
            <dd className="mt-1 flex flex-wrap gap-1">
              {apiKey.scopes.map((scope) => (
                <Badge key={scope} title={w.scopeWords[scope].hint}>
                  {w.scopeWords[scope].name}
                </Badge>
              ))}
            </dd>
          </div>
          <div>
            <dt className="text-muted">{w.streams}</dt>
            <dd className="mt-1">{streamNames(apiKey.stream_ids, streams)}</dd>
          </div>
          <div>
            <dt className="text-muted">{w.expires}</dt>
            <dd className="mt-1">
              <Expiry at={apiKey.expires_at} fallback={w.never} />
            </dd>
          </div>
        </dl>
      </Panel>
    </div>
  );
}
