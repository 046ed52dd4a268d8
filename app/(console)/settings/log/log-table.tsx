import { FigureLink } from "#components/charts/figure-link.tsx";
import { nameOf } from "#components/checks/check-name.ts";
import { plural } from "#components/format.ts";
import { reasonName } from "#components/statistics/reason-name.ts";
import { Badge } from "#components/ui/badge.tsx";
import type { Column } from "#components/ui/data-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { lifeActions, lifeStates } from "#components/words.ts";
import { decisionsBy } from "#lib/client/figure-lists.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { TeamLogLine } from "#lib/review/team-log.ts";
import { changeActions, fieldChanges } from "./change-words.ts";

export const LOG = "/settings/log";
const batchDecisions: Record<string, string> = {
  approve: "approved",
  reject: "rejected",
  unreview: "back to unreviewed",
};
const through: Record<string, string> = { api: "API key", filter: "Filter" };

type Line<Kind> = Extract<TeamLogLine, { kind: Kind }>;

export const logColumns: Column<TeamLogLine>[] = [
  {
    key: "what",
    header: "What",
    primary: true,
    wrap: true,
    cell: (line) => (line.kind === "decision" ? <Decision line={line} /> : <ChangeOf line={line} />),
  },
  {
    key: "details",
    header: "Details",
    width: "18rem",
    wrap: true,
    cell: (line) => (
      <Details texts={line.kind === "decision" ? whyOf(line) : fieldChanges(line.before, line.after)} />
    ),
  },
  {
    key: "who",
    header: "By",
    width: "13rem",
    cell: (line) => (
      <span className="flex flex-wrap items-center gap-1.5 wrap-anywhere whitespace-normal">
        <FigureLink href={line.kind === "decision" ? decisionsBy(line) : null}>{line.actor}</FigureLink>
        {through[line.source] === undefined ? null : <Badge>{through[line.source]}</Badge>}
      </span>
    ),
  },
  { key: "when", header: "When", width: "7rem", cell: (line) => <RelativeTime at={line.at} /> },
];

function Decision({ line: { action, post_id, post, batch } }: { line: Line<"decision"> }) {
  const done = lifeActions[action] ?? action;
  const verb = <span className="font-normal text-muted">{done}</span>;
  if (batch !== null) {
    const posts = plural(batch.changed, "post", "posts");
    return (
      <>
        {verb}{" "}
        <Link href={withQuery(LOG, { batch: batch.id })} prefetch={false}>
          {posts} {batchDecisions[batch.decision] ?? batch.decision}
        </Link>{" "}
        <bdi>{batch.author_account}</bdi>
      </>
    );
  }
  if (post_id === null) return verb;
  if (post === null)
    return (
      <>
        {verb} Post {post_id}, deleted
      </>
    );
  return (
    <>
      {verb}
      {/* Without the padding, which would show a part of the third line. */}
      <Link href={`/posts/${post_id}`} tone="plain" prefetch={false} className="my-0 line-clamp-2 py-0">
        <bdi>{post.author_account}</bdi>{" "}
        <bdi className="font-normal text-muted">{post.snippet || "No text"}</bdi>
      </Link>
    </>
  );
}

function ChangeOf({ line: { action, subject } }: { line: Line<"change"> }) {
  // Lines until 1.0.0 name the switches differently.
  const name =
    action === "settings.update" ? "Switches" : action.startsWith("check.") ? nameOf(subject) : subject;
  return (
    <>
      <span className="inline-block font-normal text-muted first-letter:uppercase">
        {changeActions[action] ?? action}
      </span>{" "}
      <bdi>{name}</bdi>
    </>
  );
}

function whyOf({ action, source, to, note, reject_reason_label: reason }: Line<"decision">): string[] {
  const said = source === "filter" && note !== null ? reasonName(note) : note;
  const state = action === "edit" && to !== null ? (lifeStates[to] ?? to) : null;
  const why = [reason, said ?? state].filter(Boolean).join(": ");
  return why === "" ? [] : [why];
}

/** More are collapsed. */
const FEW = 3;

function Details({ texts }: { texts: string[] }) {
  if (texts.length === 0) return <span className="text-12 text-muted">–</span>;
  const list = (
    <ul className="text-12 text-muted">
      {texts.map((text) => (
        <li key={text} dir="auto" className="whitespace-pre-line wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  );
  if (texts.length <= FEW) return list;
  return (
    <details>
      <summary className="-my-1 w-fit rounded-sm py-1 text-12 text-muted pointer-coarse:-my-3 pointer-coarse:py-3">
        {texts.length} fields
      </summary>
      {list}
    </details>
  );
}
