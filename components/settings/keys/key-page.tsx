"use client";
import { useState, type ReactNode } from "react";
import { BarChart } from "#components/charts/bar-chart.tsx";
import type { ChartSeries } from "#components/charts/series.ts";
import { Countdown } from "#components/queue/countdown.tsx";
import { BackLink } from "#components/shell/page-header.tsx";
import { PostLine } from "#components/queue/post-line.tsx";
import { PostThumb } from "#components/queue/post-thumb.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { Expiry, RelativeTime } from "#components/ui/relative-time.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { formatCount, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { GeneratedKey, KeyFigures } from "#lib/keys/schema.ts";
import type { UpcomingPost } from "#lib/posts/upcoming-schema.ts";
import { KeyActions } from "./key-actions.tsx";
import type { NamedStream } from "./key-facts.ts";
import { LearnSwitch } from "./learn-switch.tsx";
import { NewKeyPanel } from "./new-key-panel.tsx";

const w = words.settings;
const p = w.keyPage;

const series: ChartSeries[] = [
  { key: "delivered", label: p.delivered, tone: "approve" },
  { key: "nacks", label: p.nacks, tone: "warn" },
  { key: "errors", label: p.errors, tone: "reject" },
  { key: "timeouts", label: p.timeouts, tone: "neutral" },
];

export function KeyPage({
  figures,
  streams,
  publicUrl,
  cover,
}: {
  figures: KeyFigures;
  streams: NamedStream[];
  publicUrl: string;
  cover: Cover;
}) {
  const { data = figures } = useApi<KeyFigures>(`/api-keys/${figures.key.id}`, { fallback: figures });
  const [fresh, setFresh] = useState<GeneratedKey>();
  const { key, totals } = data;
  const chart = { label: p.perDay, rows: data.days, x: "date", series };
  const ended = p.ofReservations(formatCount(totals.reservations));
  return (
    <div className="space-y-6">
      <div>
        <BackLink href="/settings/keys" label={w.allKeys} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="min-w-0">
            <h2 className="text-20 font-semibold wrap-anywhere">{key.name}</h2>
            <p className="text-13 text-muted">
              <code className="font-mono">
                {key.prefix}…{key.last_characters}
              </code>{" "}
              · {w.madeBy} {key.created_by} · {p.lastSeen}{" "}
              <RelativeTime at={key.last_asked_at} fallback={w.never} />
            </p>
          </div>
          <KeyActions apiKey={key} isOwn={data.is_own} onRotated={setFresh} />
        </div>
      </div>
      {fresh ? <NewKeyPanel made={fresh} publicUrl={publicUrl} onClose={() => setFresh(undefined)} /> : null}
      <StatRow>
        <Stat figure="bot_delivered" label={p.delivered} value={totals.delivered} hint={p.days} />
        <Stat
          figure="key_error_share"
          label={p.errorShare}
          value={percent(totals.error_share)}
          hint={ended}
        />
        <Stat figure="key_nack_share" label={p.nackShare} value={percent(totals.nack_share)} hint={ended} />
        <Stat
          figure="key_timeout_share"
          label={p.timeoutShare}
          value={percent(totals.timeout_share)}
          hint={ended}
        />
      </StatRow>
      <Panel title={p.perDay} description={p.perDayHint}>
        <BarChart {...chart} stacked height={200} />
      </Panel>
      <div className="grid gap-6 wide:grid-cols-2">
        <Panel title={p.holds} flush>
          {data.holds.length === 0 ? (
            <EmptyState title={p.holdsEmpty} className="py-8" />
          ) : (
            <ul className="divide-y divide-line">
              {data.holds.map((post) => (
                <PostLine
                  key={post.post_id}
                  post={post}
                  picture={thumbOf(post, cover)}
                  facts={
                    <Countdown
                      until={post.reserved_until}
                      left={words.queue.endsIn}
                      over={words.queue.expired}
                    />
                  }
                />
              ))}
            </ul>
          )}
        </Panel>
        <Panel title={p.next} description={p.nextHint} flush>
          {data.next.length === 0 ? (
            <EmptyState
              title={key.scopes.includes("consume") ? p.nextEmpty : p.cannotConsume}
              className="py-8"
            />
          ) : (
            <ul className="divide-y divide-line">
              {data.next.map((post) => (
                <PostLine
                  key={post.post_id}
                  post={post}
                  picture={thumbOf(post, cover)}
                  facts={<RelativeTime at={post.approved_at} />}
                />
              ))}
            </ul>
          )}
        </Panel>
      </div>
      <Panel title={p.facts}>
        <dl className="grid gap-x-6 gap-y-3 text-13 desk:grid-cols-3">
          <div>
            <dt className="text-muted">{w.scopes}</dt>
            <dd className="mt-1 flex flex-wrap gap-1">
              {key.scopes.map((scope) => (
                <Badge key={scope} title={w.scopeWords[scope].hint}>
                  {w.scopeWords[scope].name}
                </Badge>
              ))}
            </dd>
          </div>
          <div>
            <dt className="text-muted">{w.streams}</dt>
            <dd className="mt-1">{streamNames(key.stream_ids, streams)}</dd>
          </div>
          <div>
            <dt className="text-muted">{w.expires}</dt>
            <dd className="mt-1">
              <Expiry at={key.expires_at} fallback={w.never} />
            </dd>
          </div>
        </dl>
        <LearnSwitch apiKey={key} />
      </Panel>
    </div>
  );
}

/** Undefined for posts without a picture: audio has a mark. */
function thumbOf(post: UpcomingPost, cover: Cover): ReactNode {
  if (!post.media_attachments.some(({ type }) => type !== "audio")) return undefined;
  return <PostThumb postId={post.post_id} cover={cover} className="size-10" {...post} />;
}

function percent(share: number | null): string {
  return share === null ? "–" : formatPercent(share);
}

function streamNames(ids: number[], streams: NamedStream[]): string {
  if (ids.length === 0) return w.everyStream;
  const names = new Map(streams.map((stream) => [stream.id, `#${stream.hashtag}`]));
  return ids.map((id) => names.get(id) ?? w.streamGone(id)).join(", ");
}
