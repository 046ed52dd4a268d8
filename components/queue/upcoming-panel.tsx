import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { EmptyQueue } from "./empty-queue.tsx";
import { PostCell } from "./post-cell.tsx";
import { RanOut } from "./ran-out.tsx";

const columns: Column<ListedPost>[] = [
  {
    key: "post",
    header: "Post",
    primary: true,
    cell: (post) => (
      <>
        <PostCell post={post} note={<Origin post={post} />} />
        {post.reserved_until === null ? null : <RanOut at={post.reserved_until} />}
      </>
    ),
  },
  {
    key: "stream",
    header: "Stream",
    width: "9rem",
    deskOnly: true,
    cell: (post) => (
      <span dir="auto" className="block max-w-36 truncate">
        {post.stream ? `#${post.stream}` : "–"}
      </span>
    ),
  },
  {
    key: "approved",
    header: "Approved",
    width: "7rem",
    deskOnly: true,
    cell: (post) => <RelativeTime at={post.approved_at} />,
  },
];

function Origin({ post }: { post: ListedPost }) {
  return (
    <>
      {post.stream ? `#${post.stream} · ` : null}
      <RelativeTime at={post.approved_at} />
    </>
  );
}

/** `pending`: approved posts, held ones too. */
export function UpcomingPanel({ posts, pending }: { posts: ListedPost[]; pending: number }) {
  return (
    <Panel title="Next in line" description="In delivery order." flush>
      <DataTable
        caption="Next in line"
        columns={columns}
        rows={posts}
        rowKey={(post) => post.post_id}
        empty={<EmptyQueue pending={pending} />}
      />
    </Panel>
  );
}
