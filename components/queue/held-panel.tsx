import { heldReasons } from "#components/words.ts";
import { StatePill } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { formatCount } from "#components/format.ts";
import { authorHref } from "#lib/client/author-href.ts";
import type { ListedPost, QueueOverview } from "#lib/queue/overview-schema.ts";
import { PostCell } from "./post-cell.tsx";

const nameOf = (reason: string | null) => (reason === null ? "–" : (heldReasons[reason]?.name ?? reason));
const heldHref = (reason: string) =>
  `/posts?${new URLSearchParams({ queue_status: "pending", held_by: reason }).toString()}`;
/** Reasons caused by a switch or list on the page Blocking. */
const underFilters = new Set(["require_media", "require_alt_text", "bot", "blocked_user", "blocked_hashtag"]);

const reasonColumns: Column<QueueOverview["held"][number]>[] = [
  {
    key: "reason",
    header: "Reason",
    primary: true,
    width: "14rem",
    cell: (row) => (
      <Link href={heldHref(row.reason)} tone="plain">
        {nameOf(row.reason)}
      </Link>
    ),
  },
  {
    key: "release",
    header: "How to release them",
    wrap: true,
    cell: (row) => {
      const howToRelease = heldReasons[row.reason]?.howToRelease ?? "";
      return underFilters.has(row.reason) ? (
        <Link href="/blocking" tone="plain">
          {howToRelease}
        </Link>
      ) : (
        howToRelease
      );
    },
  },
  { key: "count", header: "Posts", numeric: true, width: "6rem", cell: (row) => formatCount(row.count) },
];
const postColumns: Column<ListedPost>[] = [
  { key: "post", header: "Post", primary: true, cell: (post) => <PostCell post={post} /> },
  {
    key: "held",
    header: "Held",
    width: "14rem",
    cell: (post) => {
      const pill = <StatePill state="held" detail={nameOf(post.held_by)} />;
      const isReported = post.held_by === "opt-out reported";
      return isReported || post.held_by === "blocked_user" ? (
        <Link
          href={isReported ? "/blocking#opt-outs" : authorHref(post.author_account)}
          tone="plain"
          aria-label={`Held: decide about ${post.author_account}`}
        >
          {pill}
        </Link>
      ) : (
        pill
      );
    },
  },
];

export function HeldPanel({ counts, posts }: { counts: QueueOverview["held"]; posts: ListedPost[] }) {
  return (
    <Panel
      id="held"
      title="Held"
      description="Approved posts that are not delivered until the reason is resolved."
      flush
    >
      <DataTable
        caption="Held"
        columns={reasonColumns}
        rows={counts}
        rowKey={(row) => row.reason}
        empty={<EmptyState title="No held posts" className="py-8" />}
      />
      {posts.length > 0 ? (
        <DataTable
          caption="Held"
          columns={postColumns}
          rows={posts}
          rowKey={(post) => post.post_id}
          className="mt-3 border-t border-line"
        />
      ) : null}
    </Panel>
  );
}
