"use client";
import { CircleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { RanOut } from "#components/queue/ran-out.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { reasonName } from "#components/statistics/reason-name.ts";
import { reviewState, StatePill } from "#components/ui/badge.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Card, DefinitionList, Panel } from "#components/ui/card.tsx";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { Link } from "#components/ui/link.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Notice } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { formatCount } from "#components/words/format.ts";
import type { Checks } from "#lib/checks/score/schema.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { PostFile } from "#lib/review/deck-schema.ts";
import { CheckResult } from "./check-result.tsx";
import { AuthorPanel } from "./author-panel.tsx";
import { CheckDetails } from "./check-details.tsx";
import { coverOf } from "./covered.ts";
import { EditDifference } from "./edit-difference.tsx";
import { PostActions } from "./post-actions.tsx";
import { PostCard } from "./post-card.tsx";
import { ConsentList, SeenAtSource } from "./post-facts.tsx";
import { PostLife } from "./post-life.tsx";
import { PostNote } from "./post-note.tsx";
import { queueState } from "./queue-state.ts";
import { StandsOut } from "./stands-out.tsx";
import { SeenPanel } from "./seen-panel.tsx";

const Lightbox = lazyWithRetry(
  () => import("./lightbox.tsx").then((module) => module.Lightbox),
  LoadingNotice,
);
const w = words.post;

export interface PostPageProps {
  post: PostFile;
  checks: Checks;
  cover: Cover;
}

export function PostPage({ post, checks, cover }: PostPageProps) {
  const [revealed, setRevealed] = useState(false);
  const [picture, setPicture] = useState<number | null>(null);
  const mayReview = useCan("reviewer");
  const router = useRouter();
  const held = post.held_by === null ? undefined : words.queue.heldReasons[post.held_by];
  return (
    <>
      <PageHeader
        title={<span className="max-desk:line-clamp-2">{words.postPage.title(post.author_account)}</span>}
        back={{ href: "/posts", label: words.postPage.back }}
        actions={<PostActions post={post} at="head" />}
      />
      {post.erased_at === null ? null : (
        <Notice tone="warn" className="mb-4">
          {words.postPage.erased} <RelativeTime at={post.erased_at} />
        </Notice>
      )}
      {post.held_by === null ? null : (
        <Notice
          tone="warn"
          className="mb-4"
          {...(post.held_by === "opt-out reported" && mayReview
            ? {
                action: (
                  <ButtonLink href="/blocking#opt-outs" size="sm">
                    {words.home.optOutsStep}
                  </ButtonLink>
                ),
              }
            : {})}
        >
          <span className="font-medium">
            {words.postPage.heldBy}: {held?.name ?? post.held_by}.
          </span>{" "}
          {held?.howToRelease}
        </Notice>
      )}
      {post.error_reason === null ? null : (
        <Notice
          tone="reject"
          className="mb-4"
          icon={<CircleAlert aria-hidden className="mt-px size-4 shrink-0" />}
        >
          <span className="font-medium">{words.postPage.errorReason}:</span>{" "}
          <span dir="auto" className="wrap-anywhere">
            {post.error_reason}
          </span>
          {isCopyOfItself(post) ? <p>{words.queue.probablyBoosted}</p> : null}
          {post.error_details === null ? null : (
            <details className="mt-1">
              <summary className="min-h-6">{words.postPage.errorDetails}</summary>
              <pre className="mt-1 overflow-x-auto font-mono text-12 whitespace-pre-wrap">
                {JSON.stringify(post.error_details, null, 2)}
              </pre>
            </details>
          )}
        </Notice>
      )}
      <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <Card className="p-4 desk:p-5">
            <PostCard
              post={post}
              cover={cover}
              underAuthor={<StandsOut post={post} className="flex flex-wrap gap-1 wide:hidden" />}
              revealed={revealed}
              onReveal={() => setRevealed(true)}
              onOpenMedia={setPicture}
              eager
            />
          </Card>
          {post.edits.length > 0 ? (
            <Panel title={words.postPage.edits}>
              <div className="flex flex-col gap-3">
                {post.edits.map((edit) => (
                  <EditDifference key={edit.at} edit={edit} />
                ))}
              </div>
            </Panel>
          ) : null}
          <Panel title={words.postPage.life} description={words.postPage.lifeHint}>
            <PostLife post={post} history={post.history} />
          </Panel>
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Panel title={words.postPage.decision}>
            <div className="flex flex-col gap-4">
              <DefinitionList items={standing(post)} />
              {mayReview ? (
                <PostNote key={post.manual_spam_score} post={post} />
              ) : post.reviewer_notes === null ? null : (
                <p dir="auto" className="text-13 whitespace-pre-line">
                  {post.reviewer_notes}
                </p>
              )}
            </div>
          </Panel>
          <AuthorPanel post={post} />
          <Panel title={words.postPage.checks}>
            <div className="flex flex-col gap-4">
              <CheckResult post={post} />
              <CheckDetails post={post} checks={checks} onChecked={() => router.refresh()} />
            </div>
          </Panel>
          <SeenPanel
            post={post}
            cover={coverOf(post, cover)}
            revealed={revealed}
            onReveal={() => setRevealed(true)}
          />
          <Panel title={w.consent}>
            <ConsentList consent={post.consent} />
            <SeenAtSource post={post} />
          </Panel>
          <Panel title={words.postPage.addresses}>
            <ul className="flex flex-col gap-1 text-13 wrap-anywhere">
              {[...new Set([post.url, post.post_id])].map((address) =>
                address === null ? null : (
                  <li key={address}>
                    {/^https?:/.test(address) ? (
                      <Link href={address} external>
                        {address}
                      </Link>
                    ) : (
                      address
                    )}
                  </li>
                ),
              )}
            </ul>
          </Panel>
        </div>
      </div>
      <PostActions post={post} at="thumb" />
      {picture === null ? null : (
        <Lightbox
          postId={post.id}
          original={post.url ?? post.post_id}
          media={post.media_attachments}
          index={picture}
          onIndex={setPicture}
          onClose={() => setPicture(null)}
        />
      )}
    </>
  );
}

/** It was boosted, and its ack was lost. */
function isCopyOfItself({ id, error_details: details }: PostFile): boolean {
  if (typeof details !== "object" || details === null || !("matched_post_id" in details)) return false;
  return String(details.matched_post_id) === String(id);
}

/** Empty lines are omitted. */
function standing(post: PostFile) {
  const time = (term: string, at: string | null) =>
    at === null ? [] : [{ term, value: <RelativeTime at={at} /> }];
  const count = (term: string, value: number) => (value === 0 ? [] : [{ term, value: formatCount(value) }]);
  const queued = queueState(post);
  return [
    {
      term: words.reviewTools.state,
      value: (
        <StatePill
          state={reviewState(post)}
          {...(post.auto_reject_reason ? { detail: reasonName(post.auto_reject_reason) } : {})}
        />
      ),
    },
    ...(post.reject_reason === null
      ? []
      : [
          {
            term: words.reasons.label,
            value: (
              <Link href={withQuery("/posts", { reject_reason: post.reject_reason })} prefetch={false}>
                {post.reject_reason_label}
              </Link>
            ),
          },
        ]),
    ...time(words.postPage.reviewedAt, post.reviewed_at),
    {
      term: words.postPage.queue,
      value:
        queued === null ? (
          <span className="text-muted">{words.postPage.notQueued}</span>
        ) : (
          <>
            <StatePill state={queued} />
            {post.reservation_expired_at === null ? null : <RanOut at={post.reservation_expired_at} />}
          </>
        ),
    },
    ...time(words.postPage.reservedBy, queued === "reserved" ? post.reserved_at : null),
    ...time(words.postPage.deliveredAt, post.delivered_at),
    ...count(words.postPage.deliveries, post.delivery_count),
    ...count(words.postPage.refusals, post.nack_count),
  ];
}
