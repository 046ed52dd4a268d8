import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { words } from "#components/words/en.ts";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { PostCell } from "./post-cell.tsx";

const w = words.queue;
const columns: Column<ListedPost>[] = [
  {
    key: "post",
    header: w.post,
    primary: true,
    cell: (post) => <PostCell post={post} note={<Origin post={post} />} />,
  },
  {
    key: "stream",
    header: w.stream,
    width: "9rem",
    deskOnly: true,
    cell: (post) => <span className="block max-w-36 truncate">{post.stream ? `#${post.stream}` : "–"}</span>,
  },
  {
    key: "approved",
    header: w.approved,
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

export function UpcomingPanel({ posts }: { posts: ListedPost[] }) {
  return (
    <Panel title={w.nextTitle} description={w.nextHint} flush>
      <DataTable
        caption={w.nextTitle}
        columns={columns}
        rows={posts}
        rowKey={(post) => post.post_id}
        empty={
          <EmptyState
            title={w.empty}
            action={
              <ButtonLink href="/review" size="sm">
                {words.shell.review}
              </ButtonLink>
            }
          >
            {w.emptyHint}
          </EmptyState>
        }
      />
    </Panel>
  );
}
