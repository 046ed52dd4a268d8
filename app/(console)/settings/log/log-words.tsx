import type { ReactNode } from "react";
import { FigureLink } from "#components/charts/figure-link.tsx";
import { nameOf } from "#components/checks/check-name.ts";
import { plural } from "#components/format.ts";
import { reasonName } from "#components/statistics/reason-name.ts";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { lifeActions, lifeStates } from "#components/words.ts";
import { decisionsBy } from "#lib/client/figure-lists.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { LogLine } from "#lib/review/log-schema.ts";

/** Longer values are cut. */
const LONGEST = 80;
const through: Record<string, string> = { api: " (API key)", filter: " (filter)" };
/** Second words of changes; others are shown as they are. */
const done: Record<string, string> = {
  create: "added",
  update: "changed",
  delete: "deleted",
  generate: "generated",
  revoke: "revoked",
  invite: "invited",
  disable: "disabled",
  enable: "enabled",
};

export function titleOf({ kind, action, subject, batch, post, post_id }: LogLine): ReactNode {
  if (kind === "change") {
    const [thing = "", ...how] = action.split(".");
    const name = thing === "check" ? nameOf(subject ?? "") : subject;
    return [
      `${readable(thing)} ${how.map((word) => done[word] ?? word.replaceAll("_", " ")).join(" ")}: `,
      name,
    ];
  }
  const verb = `${lifeActions[action] ?? action}: `;
  if (batch !== null)
    return [
      verb,
      <Link key="posts" href={withQuery("/settings/log", { batch: batch.id })} prefetch={false}>
        {plural(batch.changed, "post", "posts")}
      </Link>,
      ` ${lifeActions[batch.decision]?.toLowerCase() ?? batch.decision}`,
      batch.author_account === null ? null : ` of ${batch.author_account}`,
    ];
  if (post === null) return [verb, `post ${post_id}, deleted`];
  return [
    verb,
    <Link key="post" href={`/posts/${post_id}`} tone="plain" prefetch={false}>
      <bdi>{post.author_account}</bdi>{" "}
      <bdi className="font-normal text-muted">{post.snippet || "No text"}</bdi>
    </Link>,
  ];
}

export function factsOf(line: LogLine): ReactNode[] {
  return [
    [
      <FigureLink key="who" href={line.kind === "decision" ? decisionsBy(line) : null}>
        {line.actor}
      </FigureLink>,
      through[line.source],
    ],
    <RelativeTime key="when" at={line.at} />,
    ...(line.kind === "decision" ? reasonsOf(line) : fieldChanges(line.before, line.after)),
  ];
}

function reasonsOf({ action, source, to, note, reject_reason_label: reason }: LogLine): string[] {
  const said = source === "filter" && note !== null ? reasonName(note) : note;
  const state = action === "edit" && to !== null ? (lifeStates[to] ?? to) : null;
  return [reason, said ?? state].filter((text): text is string => Boolean(text));
}

/** "Fetch interval minutes: 15 → 30", for each field that differs. */
function fieldChanges(before: unknown, after: unknown): string[] {
  const sides = [before, after].filter((side) => side !== null) as Record<string, unknown>[];
  const names = new Set(sides.flatMap((side) => Object.keys(side)));
  return [...names].flatMap((name) => {
    const [was, is = "none"] = sides.map((side) => plain(side[name]));
    if (name === "id" || was === is) return [];
    return [`${readable(name)}: ${sides.length === 1 ? was : `${was} → ${is}`}`];
  });
}

export function readable(name: string): string {
  return (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll("_", " ");
}

function plain(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.map(plain).join(", ") || "none";
  if (typeof value === "object")
    return Object.entries(value)
      .map(([part, each]) => `${readable(part)} ${plain(each)}`)
      .join(", ");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return `${text.slice(0, 16).replace("T", " ")} UTC`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()}…` : text;
}
