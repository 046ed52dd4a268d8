import { CircleAlert, RefreshCw } from "lucide-react";
import { checkAgain, saveNote } from "#app/(console)/posts/actions.ts";
import { AuthorBlock } from "#components/author/author-block.tsx";
import { matchesItself, matchesItselfText } from "#components/queue/failed-post.tsx";
import { RanOut } from "#components/queue/ran-out.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { reasonName } from "#components/statistics/reason-name.ts";
import { ActionButton, ActionField, ActionForm, SubmitButton } from "#components/ui/action-form.tsx";
import { reviewState, StatePill } from "#components/ui/badge.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Card, DefinitionList, Panel } from "#components/ui/card.tsx";
import { Textarea } from "#components/ui/input.tsx";
import { Link } from "#components/ui/link.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Notice } from "#components/ui/states.tsx";
import { heldReasons } from "#components/words.ts";
import type { Checks } from "#lib/checks/score/schema.ts";
import { authorHref } from "#lib/client/author-href.ts";
import type { SeenItem } from "#lib/client/desk/seen-before.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { PostFile } from "#lib/review/deck-schema.ts";
import { AuthorRecord } from "./author-record.tsx";
import { CheckResult } from "./check-result.tsx";
import { EditDifference } from "./edit-difference.tsx";
import { PostActions } from "./post-actions.tsx";
import { PostDetails } from "./post-details.tsx";
import { PostLife } from "./post-life.tsx";
import { PostView, SeenPanel } from "./post-view.tsx";
import { queueState } from "./queue-state.ts";

export interface PostPageProps {
  post: PostFile;
  checks: Checks;
  seen: readonly SeenItem[];
  cover: Cover;
  mayReview: boolean;
}

export function PostPage({ post, checks, seen, cover, mayReview }: PostPageProps) {
  return (
    <>
      <PageHeader
        title={<span className="max-desk:line-clamp-2">Post by {post.author_account}</span>}
        back={{ href: "/posts", label: "Posts" }}
        actions={<PostActions post={post} />}
      />
      <Notices post={post} mayReview={mayReview} />
      <div className="grid items-start gap-6 max-desk:pb-20 wide:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <Card className="p-4 desk:p-5">
            <PostView post={post} cover={cover} />
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
          <PostLife post={post} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Panel title="Decision">
            <div className="flex flex-col gap-4">
              <DefinitionList items={stateItems(post)} />
              {mayReview ? (
                <Note post={post} />
              ) : post.reviewer_notes === null ? null : (
                <p dir="auto" className="text-13 whitespace-pre-line">
                  {post.reviewer_notes}
                </p>
              )}
            </div>
          </Panel>
          <Panel
            title="Author's record"
            actions={
              <Link href={authorHref(post.author_account)} className="text-13">
                Author page
              </Link>
            }
          >
            <div className="flex flex-col gap-3">
              <AuthorRecord {...post.author_history} />
              <AuthorBlock account={post.author_account} blocked={post.author_blocked} />
            </div>
          </Panel>
          <Panel title="Checks">
            <CheckResult post={post} />
          </Panel>
          <SeenPanel post={post} items={seen} cover={cover} />
          <details className="rounded-lg border border-line bg-surface open:pb-4">
            <summary className="px-4 py-3 text-14 font-semibold">Details</summary>
            <div className="flex flex-col gap-4 px-4">
              <PostDetails post={post} checks={checks} />
              {mayReview ? (
                <ActionButton
                  action={checkAgain}
                  fields={{ id: post.id }}
                  size="sm"
                  icon={<RefreshCw aria-hidden />}
                  className="self-start"
                >
                  Check again
                </ActionButton>
              ) : null}
            </div>
          </details>
        </div>
      </div>
    </>
  );
}

function Notices({ post, mayReview }: Pick<PostPageProps, "post" | "mayReview">) {
  const held = post.held_by === null ? undefined : heldReasons[post.held_by];
  return (
    <div className="mb-4 flex flex-col gap-4 empty:hidden">
      {post.erased_at === null ? null : (
        <Notice tone="warn">
          The post is deleted or no longer public at its own server. Its content was erased here and it cannot
          be approved. <RelativeTime at={post.erased_at} />
        </Notice>
      )}
      {post.held_by === null ? null : (
        <Notice
          tone="warn"
          action={
            post.held_by === "opt-out reported" && mayReview ? (
              <ButtonLink href="/blocking#opt-outs" size="sm">
                Decide
              </ButtonLink>
            ) : null
          }
        >
          <span className="font-medium">Held: {held?.name ?? post.held_by}.</span> {held?.howToRelease}
        </Notice>
      )}
      {post.error_reason === null ? null : (
        <Notice tone="reject" icon={<CircleAlert aria-hidden className="mt-px size-4 shrink-0" />}>
          <span className="font-medium">Error:</span>{" "}
          <span dir="auto" className="wrap-anywhere">
            {post.error_reason}
          </span>
          {matchesItself(post) ? <p>{matchesItselfText}</p> : null}
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
    </div>
  );
}

function Note({ post }: { post: PostFile }) {
  const tooLong = "At most 2,000 characters";
  return (
    <ActionForm
      action={saveNote}
      errors={{ form: tooLong, reviewer_notes: tooLong }}
      className="flex flex-col gap-3"
    >
      <input type="hidden" name="id" value={post.id} />
      <ActionField name="reviewer_notes" label="Note" hint="Visible to reviewers, never to boost bots.">
        <Textarea name="reviewer_notes" defaultValue={post.reviewer_notes ?? ""} />
      </ActionField>
      <SubmitButton size="sm" className="self-start">
        Save note
      </SubmitButton>
    </ActionForm>
  );
}

/** State, reason and queue state. The history has the times. */
function stateItems(post: PostFile) {
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
    ...(queued === null
      ? []
      : [
          {
            term: "Queue",
            value: (
              <>
                <StatePill state={queued} />
                {post.reservation_expired_at === null ? null : <RanOut at={post.reservation_expired_at} />}
              </>
            ),
          },
        ]),
  ];
}
