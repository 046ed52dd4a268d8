"use client";
import { Panel } from "#components/ui/card.tsx";
import { useNow } from "#components/ui/clock-context.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { formatCount, formatDuration } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { MoveButton } from "./move-button.tsx";
import { PostCell } from "./post-cell.tsx";

const w = words.queue;

/** Posts kept back because consumers gave them back or let them time out again and again. */
export function RefusedPanel({ posts }: { posts: ListedPost[] }) {
  const now = useNow();
  const mayOffer = useCan("admin");
  const columns: Column<ListedPost>[] = [
    { key: "post", header: w.post, primary: true, cell: (post) => <PostCell post={post} /> },
    {
      key: "refusals",
      header: w.refusals,
      width: "6rem",
      numeric: true,
      cell: (post) => w.times(formatCount(post.refusals)),
    },
    {
      key: "returns",
      header: w.returns,
      width: "6rem",
      numeric: true,
      cell: (post) =>
        w.endsIn(formatDuration(Math.max(0, Math.round((Date.parse(post.not_before ?? "") - now) / 1000)))),
    },
    ...(mayOffer
      ? [
          {
            key: "act",
            header: words.common.actions,
            hideHeader: true,
            width: "7rem",
            cell: (post: ListedPost) => (
              <MoveButton move="offer-again" postId={post.post_id}>
                {w.offerAgain}
              </MoveButton>
            ),
          },
        ]
      : []),
  ];
  return (
    <Panel title={w.refusedTitle} description={w.refusedHint} flush>
      <DataTable caption={w.refusedTitle} columns={columns} rows={posts} rowKey={(post) => post.post_id} />
    </Panel>
  );
}
