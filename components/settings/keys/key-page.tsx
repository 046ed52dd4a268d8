import { scopeWords } from "#components/words.ts";
import { BackLink } from "#components/shell/page-header.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Expiry, RelativeTime } from "#components/ui/relative-time.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import type { ApiKey } from "#lib/accounts/key-schema.ts";
import type { BotFigures } from "#lib/stats/overview-schema.ts";
import { streamNames, type NamedStream } from "./key-facts.ts";
import { RevokeButton } from "./revoke-button.tsx";

export function KeyPage({
  apiKey,
  totals,
  streams,
}: {
  apiKey: ApiKey;
  /** Of the last 30 days. */
  totals: Pick<BotFigures, "delivered" | "errors">;
  streams: NamedStream[];
}) {
  return (
    <div className="space-y-6">
      <div>
        <BackLink href="/settings/keys" label="All keys" />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="min-w-0">
            <h2 className="text-20 font-semibold wrap-anywhere">{apiKey.name}</h2>
            <p className="text-13 text-muted">
              <code className="font-mono">
                {apiKey.prefix}…{apiKey.last_characters}
              </code>{" "}
              · Created by {apiKey.created_by} · Last asked{" "}
              <RelativeTime at={apiKey.last_asked_at} fallback="Never" />
            </p>
          </div>
          <RevokeButton apiKey={apiKey} leads="/settings/keys" />
        </div>
      </div>
      <StatRow>
        <Stat figure="bot_delivered" label="Delivered" value={totals.delivered} hint="Last 30 days" />
        <Stat figure="bot_errors" label="Errors" value={totals.errors} hint="Last 30 days" />
      </StatRow>
      <Panel title="Rights">
        <dl className="grid gap-x-6 gap-y-3 text-13 desk:grid-cols-3">
          <div>
            <dt className="text-muted">Scopes</dt>
            <dd className="mt-1 flex flex-wrap gap-1">
              {apiKey.scopes.map((scope) => (
                <Badge key={scope} title={scopeWords[scope].hint}>
                  {scopeWords[scope].name}
                </Badge>
              ))}
            </dd>
          </div>
          <div>
            <dt className="text-muted">Streams</dt>
            <dd className="mt-1">{streamNames(apiKey.stream_ids, streams)}</dd>
          </div>
          <div>
            <dt className="text-muted">Expires</dt>
            <dd className="mt-1">
              <Expiry at={apiKey.expires_at} fallback="Never" />
            </dd>
          </div>
        </dl>
      </Panel>
    </div>
  );
}
