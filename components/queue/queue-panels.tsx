import type { ReactNode } from "react";
import { formatCount, formatDuration, plural } from "#components/format.ts";
import { LineLink } from "#components/post/line-link.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { heldReasons } from "#components/words.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { ListedPost, QueueOverview } from "#lib/queue/queue-overview.ts";
import { RanOut } from "./ran-out.tsx";

export function QueueFigures({ overview }: { overview: QueueOverview }) {
  const { counts, all_time: ever, runway_days: runway } = overview;
  return (
    <StatRow>
      <Stat
        figure="available"
        label="Ready"
        value={overview.available}
        hint={`of ${formatCount(counts.pending)} pending`}
        href="/posts?queue_status=ready"
      />
      <Stat
        figure="reserved"
        label="Reserved"
        value={counts.reserved}
        hint={`${formatCount(ever.nacks)} returned, ${formatCount(ever.timeouts)} timed out`}
        href="/posts?queue_status=with_bot"
      />
      <Stat
        figure="stored_delivered"
        label="Delivered"
        value={counts.delivered}
        hint={`${formatCount(ever.delivered)} in total`}
        href="/posts?queue_status=delivered"
      />
      <Stat
        figure="stored_errors"
        label="Errors"
        value={counts.error}
        hint={`${formatCount(ever.errors)} in total`}
        href="/posts?queue_status=error"
      />
      <Stat
        figure="runway_days"
        label="Lasts"
        value={runway === null ? "–" : formatDuration(runway * 86_400)}
        hint={
          runway === null
            ? "no delivery in the last four weeks"
            : `at ${formatCount(overview.deliveries_per_day)} a day`
        }
        className="max-desk:col-span-2"
      />
    </StatRow>
  );
}

/** Approved posts that are not delivered: held ones by reason, and those that bots refused. */
export function HeldPanel({ held, refused }: Pick<QueueOverview, "held" | "refused">) {
  if (held.length + refused.length === 0) return null;
  return (
    <Panel id="held" title="Held" description="Not delivered until the reason is resolved." flush>
      <ul className="divide-y divide-line text-13">
        {held.map(({ reason, count }) => {
          const { name = reason, howToRelease = "" } = heldReasons[reason] ?? {};
          return (
            <li key={reason} className="flex flex-wrap gap-x-3 gap-y-1 px-4 py-2.5">
              <Link
                href={withQuery("/posts", { queue_status: "pending", held_by: reason })}
                tone="plain"
                className="font-medium"
              >
                {plural(count, "post", "posts")}: {name}
              </Link>
              <span className="min-w-0 text-muted">{howToRelease}</span>
            </li>
          );
        })}
        {refused.map((post) => (
          <PostLine key={post.post_id} post={post}>
            Refused {formatCount(post.refusals)} times in a row ({formatCount(post.nacks)} returned,{" "}
            {formatCount(post.timeouts)} timed out), offered again{" "}
            <RelativeTime isAhead at={post.not_before} />
          </PostLine>
        ))}
      </ul>
    </Panel>
  );
}

function PostLine({ post, children }: { post: ListedPost; children: ReactNode }) {
  return (
    <li className="px-4 py-2 desk:flex desk:items-baseline desk:gap-4">
      <LineLink
        id={post.post_id}
        author={post.author_account}
        hasMedia={post.has_attachments}
        text={post.content_snippet}
        emojis={post.emojis}
      />
      <p className="text-12 text-muted max-desk:mt-0.5 desk:shrink-0">{children}</p>
    </li>
  );
}

export function UpcomingPanel({
  posts,
  pending,
  mayReview,
}: {
  posts: ListedPost[];
  pending: number;
  mayReview: boolean;
}) {
  return (
    <Panel title="Next in line" description="In delivery order." flush>
      {posts.length === 0 ? (
        <EmptyState
          title={pending === 0 ? "Nothing is waiting" : "No approved post is ready"}
          action={
            pending > 0 || mayReview ? (
              <ButtonLink href={pending === 0 ? "/review" : "#held"} variant="primary">
                {pending === 0 ? "Review" : "Show the reasons"}
              </ButtonLink>
            ) : null
          }
        />
      ) : (
        <ol className="divide-y divide-line text-13">
          {posts.map((post) => (
            <PostLine key={post.post_id} post={post}>
              {post.stream === "" ? null : (
                <>
                  <bdi>#{post.stream}</bdi> ·{" "}
                </>
              )}
              approved <RelativeTime at={post.approved_at} />
              {post.reserved_until === null ? null : <RanOut at={post.reserved_until} />}
            </PostLine>
          ))}
        </ol>
      )}
    </Panel>
  );
}
