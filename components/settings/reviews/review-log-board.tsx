"use client";
import { plural } from "#components/format.ts";
import { changedThrough, lifeActions, lifeStates } from "#components/words.ts";
import { FigureLink } from "#components/charts/figure-link.tsx";
import { LogPanel, type LogView } from "#components/settings/log/log-panel.tsx";
import { useRejectReasons } from "#components/shell/reasons-context.tsx";
import { reasonName } from "#components/statistics/reason-name.ts";
import type { Column } from "#components/ui/data-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { decisionsBy } from "#lib/client/figure-lists.ts";
import { reviewActions, type ReviewLogLine } from "#lib/review/log-schema.ts";

const batchDecisions: Record<string, string> = {
  approve: "approved",
  reject: "rejected",
  unreview: "back to unreviewed",
};

const columns: Column<ReviewLogLine>[] = [
  {
    key: "action",
    header: "Action",
    primary: true,
    width: "12rem",
    cell: (line) =>
      line.batch === null
        ? (lifeActions[line.action] ?? line.action)
        : `${lifeActions[line.action] ?? line.action}: ${plural(line.batch.changed, "post", "posts")} ${batchDecisions[line.batch.decision] ?? line.batch.decision}`,
  },
  { key: "post", header: "Post", wrap: true, cell: (line) => <ReviewedPost line={line} /> },
  {
    key: "why",
    header: "Reason and note",
    wrap: true,
    cell: (line) => {
      const why = whyOf(line);
      return why === "" ? (
        <span className="text-muted">–</span>
      ) : (
        <span dir="auto" className="block whitespace-pre-line wrap-anywhere">
          {why}
        </span>
      );
    },
  },
  {
    key: "by",
    header: "By",
    width: "13rem",
    cell: (line) => (
      <span className="wrap-anywhere whitespace-normal">
        {line.source === "service" ? (
          "by Sluice"
        ) : (
          <>
            <FigureLink href={decisionsBy(line)}>{line.actor}</FigureLink>
            {line.source === "screen" ? null : (
              <span className="block text-12 text-muted">{changedThrough[line.source]}</span>
            )}
          </>
        )}
      </span>
    ),
  },
  { key: "at", header: "When", width: "7rem", cell: (line) => <RelativeTime at={line.at} /> },
];

function whyOf({ action, source, to, note, reject_reason_label: reason }: ReviewLogLine): string {
  const said = source === "filter" && note !== null ? reasonName(note) : note;
  const state = action === "edit" && to !== null ? (lifeStates[to] ?? to) : null;
  return [reason, said ?? state].filter(Boolean).join(": ");
}

function ReviewedPost({ line: { post_id, post, batch } }: { line: ReviewLogLine }) {
  if (batch !== null)
    return (
      <Link href={`/settings/reviews?batch=${batch.id}`} prefetch={false}>
        <bdi>{batch.author_account ?? plural(batch.changed, "post", "posts")}</bdi>
      </Link>
    );
  if (post_id === null) return <span className="text-muted">–</span>;
  if (post === null) return <span className="text-muted">Post {post_id}, deleted</span>;
  return (
    // Without the padding, which would show a part of the third line.
    <Link href={`/posts/${post_id}`} tone="plain" prefetch={false} className="my-0 line-clamp-2 py-0">
      <bdi className="font-medium">{post.author_account}</bdi>{" "}
      <bdi className="text-muted">{post.snippet || "No text"}</bdi>
    </Link>
  );
}

export function ReviewLogBoard({
  members,
  ...view
}: LogView<ReviewLogLine> & { members: readonly { id: number; name: string }[] }) {
  const reasons = useRejectReasons();
  const named = (list: readonly { id: number; name: string }[]) =>
    list.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <LogPanel
      {...view}
      title="Review log"
      hint="Decisions, notes and undos of members, API keys and filters. A batch is one line."
      empty="Nothing has been decided yet"
      path="/settings/reviews"
      columns={columns}
      fields={[
        { name: "member_id", label: "By", placeholder: "Anyone", options: named(members) },
        {
          name: "action",
          label: "Action",
          placeholder: "Any action",
          options: reviewActions.map((action) => ({ value: action, label: lifeActions[action] ?? action })),
        },
        {
          name: "reject_reason",
          label: "Reason",
          placeholder: "Any reason",
          options: named(reasons.map(({ id, label }) => ({ id, name: label }))),
        },
      ]}
    />
  );
}
