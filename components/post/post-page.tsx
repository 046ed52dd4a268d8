"use client";
import { heldReasons } from "#components/words.ts";
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
import { formatCount } from "#components/format.ts";
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
  const held = post.held_by === null ? undefined : heldReasons[post.held_by];
  return (
    <>
      <PageHeader
        title={<span className="max-desk:line-clamp-2">Post by {post.author_account}</span>}
        back={{ href: "/posts", label: "Posts" }}
        actions={<PostActions post={post} at="head" />}
      />
      {post.erased_at === null ? null : (
        <Notice tone="warn" className="mb-4">
          The post is deleted or no longer public at its own server. Its content was erased here and it cannot
          be approved. <RelativeTime at={post.erased_at} />
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
                    Decide
                  </ButtonLink>
                ),
              }
            : {})}
        >
          <span className="font-medium">Held: {held?.name ?? post.held_by}.</span> {held?.howToRelease}
        </Notice>
      )}
      {post.error_reason === null ? null : (
        <Notice
          tone="reject"
          className="mb-4"
          icon={<CircleAlert aria-hidden className="mt-px size-4 shrink-0" />}
        >
          <span className="font-medium">Error:</span>{" "}
          <span dir="auto" className="wrap-anywhere">
            {post.error_reason}
          </span>
          {isCopyOfItself(post) ? (
            <p>Probably boosted before: the boost bot recognised its own picture.</p>
          ) : null}
          {post.error_details === null ? null : (
            <details className="mt-1">
              <summary className="min-h-6">Error details</summary>
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
            <Panel title="Edits">
              <div className="flex flex-col gap-3">
                {post.edits.map((edit) => (
                  <EditDifference key={edit.at} edit={edit} />
                ))}
              </div>
            </Panel>
          ) : null}
          <Panel title="History" description="All changes, oldest first.">
            <PostLife post={post} history={post.history} />
          </Panel>
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Panel title="Decision">
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
          <Panel title="Checks">
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
          <Panel title="Consent">
            <ConsentList consent={post.consent} />
            <SeenAtSource post={post} />
          </Panel>
          <Panel title="Addresses">
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
      term: "State",
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
            term: "Reason",
            value: (
              <Link href={withQuery("/posts", { reject_reason: post.reject_reason })} prefetch={false}>
                {post.reject_reason_label}
              </Link>
            ),
          },
        ]),
    ...time("Reviewed", post.reviewed_at),
    {
      term: "Queue",
      value:
        queued === null ? (
          <span className="text-muted">Not in the queue</span>
        ) : (
          <>
            <StatePill state={queued} />
            {post.reservation_expired_at === null ? null : <RanOut at={post.reservation_expired_at} />}
          </>
        ),
    },
    ...time("Reserved since", queued === "reserved" ? post.reserved_at : null),
    ...time("Delivered", post.delivered_at),
    ...count("Times delivered to a boost bot", post.delivery_count),
    ...count("Times returned", post.nack_count),
  ];
}
