import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { StatePill } from "#components/ui/badge.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { ListedPost, QueueOverview } from "#lib/queue/overview-schema.ts";
import { PostCell } from "./post-cell.tsx";

const w = words.queue;
const nameOf = (reason: string | null) => (reason === null ? "–" : (w.heldReasons[reason]?.name ?? reason));

const reasonColumns: Column<QueueOverview["held"][number]>[] = [
  { key: "reason", header: w.reason, primary: true, width: "14rem", cell: (row) => nameOf(row.reason) },
  {
    key: "frees",
    header: w.frees,
    wrap: true,
    cell: (row) => w.heldReasons[row.reason]?.frees ?? "",
  },
  { key: "count", header: w.count, numeric: true, width: "6rem", cell: (row) => formatCount(row.count) },
];
const postColumns: Column<ListedPost>[] = [
  { key: "post", header: w.post, primary: true, cell: (post) => <PostCell post={post} /> },
  {
    key: "held",
    header: w.heldTitle,
    width: "14rem",
    cell: (post) => <StatePill state="held" detail={nameOf(post.held_by)} />,
  },
];

/** What is approved and still not handed out: by reason with what would free it, and the oldest twenty. */
export function HeldPanel({ counts, posts }: { counts: QueueOverview["held"]; posts: ListedPost[] }) {
  return (
    <Panel title={w.heldTitle} description={w.heldHint} flush>
      <DataTable
        caption={w.heldTitle}
        columns={reasonColumns}
        rows={counts}
        rowKey={(row) => row.reason}
        empty={<EmptyState title={w.heldEmpty} className="py-8" />}
      />
      {posts.length > 0 ? (
        <DataTable
          caption={w.heldTitle}
          columns={postColumns}
          rows={posts}
          rowKey={(post) => post.post_id}
          className="border-t border-line"
        />
      ) : null}
    </Panel>
  );
}
