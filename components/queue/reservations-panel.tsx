"use client";
import { Panel } from "#components/ui/card.tsx";
import { useNow } from "#components/ui/clock-context.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { formatDuration } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { MoveButton } from "./move-button.tsx";
import { PostCell } from "./post-cell.tsx";

const w = words.queue;

/** Who holds what, and until when. */
export function ReservationsPanel({ posts }: { posts: ListedPost[] }) {
  const now = useNow();
  const mayRelease = useCan("admin");
  const columns: Column<ListedPost>[] = [
    { key: "post", header: w.post, primary: true, cell: (post) => <PostCell post={post} /> },
    {
      key: "holder",
      header: w.holder,
      width: "8rem",
      cell: (post) => post.reserved_by ?? words.common.unknown,
    },
    {
      key: "ends",
      header: w.ends,
      width: "6rem",
      numeric: true,
      cell: (post) => {
        const left = Math.round((Date.parse(post.reserved_until ?? "") - now) / 1000);
        return left > 0 ? w.endsIn(formatDuration(left)) : <span title={w.over}>{w.over.split(",")[0]}</span>;
      },
    },
    ...(mayRelease
      ? [
          {
            key: "act",
            header: words.common.actions,
            hideHeader: true,
            width: "6rem",
            cell: (post: ListedPost) => (
              <MoveButton move="release" postId={post.post_id}>
                {w.release}
              </MoveButton>
            ),
          },
        ]
      : []),
  ];
  return (
    <Panel title={w.withConsumers} description={w.withConsumersHint} flush>
      <DataTable
        caption={w.withConsumers}
        columns={columns}
        rows={posts}
        rowKey={(post) => post.post_id}
        empty={<EmptyState title={w.withConsumersEmpty} className="py-8" />}
      />
    </Panel>
  );
}
