"use client";
import { Check, Undo2, X } from "lucide-react";
import { useMemo } from "react";
import { CheckBadge, isNoteworthy } from "#components/post/check-result.tsx";
import { LineLink } from "#components/post/line-link.tsx";
import { queueState } from "#components/post/queue-state.ts";
import { RanOut } from "#components/queue/ran-out.tsx";
import { reasonName } from "#components/statistics/reason-name.ts";
import { reviewState, StatePill } from "#components/ui/badge.tsx";
import { cn } from "#components/ui/cn.ts";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useRowTabIndex } from "#components/ui/row-tab-index.tsx";
import { plainText } from "#lib/client/plain-text.ts";
import type { Post } from "#lib/review/post-schema.ts";
import { RowMedia } from "./row-media.tsx";
import type { Selection } from "./use-selection.ts";

export interface PostTableProps {
  posts: readonly Post[];
  /** Null if rows cannot be selected. */
  selection: Selection | null;
  /** Default: when rows can be selected. */
  decides?: boolean;
  /** Off when all rows have the same state. */
  states?: boolean;
  cover: Cover;
  revealed: ReadonlySet<number>;
  /** The row in the order of Tab. */
  stop: number | null;
  onStop: (id: number) => void;
  onPreview: (post: Post) => void;
  onReview: (post: Post, approved: boolean | null) => void;
  onChecks?: (post: Post) => void;
}

export function PostTable({
  posts,
  selection,
  decides = selection !== null,
  states = true,
  cover,
  revealed,
  stop,
  onStop,
  onPreview,
  onReview,
  onChecks,
}: PostTableProps) {
  const columns = useMemo(
    () => columnsFor({ decides, states, cover, revealed, onPreview, onReview, onChecks }),
    [decides, states, cover, revealed, onPreview, onReview, onChecks],
  );
  return (
    <DataTable
      caption="Posts"
      columns={columns}
      rows={posts}
      density="comfortable"
      rowKey={(post) => post.id}
      stop={stop}
      onFocusRow={(key) => onStop(Number(key))}
      rowLabel={(post) => `Select post by ${post.author_account}`}
      {...(selection
        ? {
            selected: selection.ids,
            onToggleRow: (key: string | number) => selection.toggle(Number(key), wasShifted()),
            onToggleAll: selection.setPage,
          }
        : {})}
    />
  );
}

/** A change event has no Shift state. */
function wasShifted(): boolean {
  const { event } = window;
  return event instanceof MouseEvent && event.shiftKey;
}

type CellProps = Pick<PostTableProps, "cover" | "revealed" | "onPreview" | "onReview" | "onChecks"> & {
  decides: boolean;
  states: boolean;
};

function columnsFor(cells: CellProps): Column<Post>[] {
  const { states, decides, onReview } = cells;
  return [
    {
      key: "post",
      header: "Post",
      primary: true,
      cell: (post) => <PostCell post={post} {...cells} />,
    },
    ...(states
      ? [
          {
            key: "state",
            header: "State",
            width: "8rem",
            deskOnly: true,
            cell: (post: Post) => <StateCell post={post} />,
          },
        ]
      : []),
    {
      key: "stream",
      header: "Stream",
      width: "7rem",
      deskOnly: true,
      wideOnly: true,
      cell: (post) => (post.stream === null ? "–" : <bdi className="block truncate">#{post.stream}</bdi>),
    },
    {
      key: "posted",
      header: "Posted",
      width: "6rem",
      deskOnly: true,
      wideOnly: true,
      cell: (post) => <RelativeTime at={post.created_at} className="text-muted" />,
    },
    ...(decides
      ? [
          {
            key: "actions",
            header: "Actions",
            hideHeader: true,
            width: "7.5rem",
            cell: (post: Post) => <RowActions post={post} onReview={onReview} />,
          },
        ]
      : []),
  ];
}

/** On phones with the other columns' values. */
function PostCell({
  post,
  states,
  decides,
  cover,
  revealed,
  onPreview,
  onChecks,
}: CellProps & { post: Post }) {
  const text = plainText(post.content);
  const tabIndex = useRowTabIndex();
  return (
    <>
      <span className="block desk:flex desk:items-center desk:gap-2">
        <RowMedia
          post={post}
          preference={cover}
          revealed={revealed.has(post.id)}
          onPreview={onPreview}
          tabIndex={tabIndex}
        />
        <LineLink
          id={post.id}
          author={post.author_account}
          hasMedia={false}
          hasPoll={post.poll !== null}
          text={post.spoiler_text ? `${post.spoiler_text} · ${text}` : text}
          emojis={post.emojis}
          tabIndex={tabIndex}
          className="max-desk:wrap-anywhere"
        />
        {isNoteworthy(post) ? (
          <CheckBadge
            post={post}
            onOpen={onChecks ? () => onChecks(post) : undefined}
            tabIndex={tabIndex}
            className="relative z-1 max-desk:mt-1"
          />
        ) : null}
      </span>
      <span
        className={cn(
          "mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-13 font-normal text-muted desk:hidden",
          decides && !isOut(post) && "min-h-11 pe-26",
        )}
      >
        {states ? <StateCell post={post} /> : null}
        {post.stream === null ? null : <bdi>#{post.stream}</bdi>}
        <RelativeTime at={post.created_at} />
      </span>
    </>
  );
}

function StateCell({ post }: { post: Post }) {
  const queued = queueState(post);
  if (queued !== null)
    return (
      <>
        <StatePill
          state={queued}
          {...(queued === "held" && post.held_by !== null ? { title: reasonName(post.held_by) } : {})}
        />
        {post.reservation_expired_at === null ? null : <RanOut at={post.reservation_expired_at} />}
      </>
    );
  const state = reviewState(post);
  const filter = post.auto_reject_reason;
  const reason = filter ? reasonName(filter) : post.reject_reason_label;
  return <StatePill state={state} {...(reason ? { title: reason } : {})} />;
}

function isOut(post: Post): boolean {
  return post.queue_status === "reserved" || post.queue_status === "delivered";
}

/** The server refuses decisions on handed-out posts. */
function RowActions({ post, onReview }: { post: Post; onReview: PostTableProps["onReview"] }) {
  const tabIndex = useRowTabIndex();
  if (isOut(post)) return null;
  const who = post.author_account;
  // Each button keeps its column, so that a position means one action.
  return (
    <span className="grid justify-end justify-items-center gap-0.5 max-desk:absolute max-desk:end-3 max-desk:bottom-5.5 max-desk:grid-flow-col desk:grid-cols-[repeat(3,auto)]">
      {post.approved !== null && post.queue_status !== "error" ? (
        <IconButton
          label={`Back to unreviewed: ${who}`}
          tabIndex={tabIndex}
          icon={<Undo2 aria-hidden />}
          onClick={() => onReview(post, null)}
        />
      ) : (
        <span aria-hidden className="size-control-sm max-desk:hidden" />
      )}
      {post.approved !== false ? (
        <IconButton
          label={`Reject: ${who}`}
          tabIndex={tabIndex}
          icon={<X aria-hidden className="text-reject" />}
          onClick={() => onReview(post, false)}
        />
      ) : (
        <span aria-hidden className="size-control-sm max-desk:hidden" />
      )}
      {post.approved !== true ? (
        <IconButton
          label={`Approve: ${who}`}
          tabIndex={tabIndex}
          icon={<Check aria-hidden className="text-approve" />}
          onClick={() => onReview(post, true)}
        />
      ) : (
        <span aria-hidden className="size-control-sm max-desk:hidden" />
      )}
    </span>
  );
}
