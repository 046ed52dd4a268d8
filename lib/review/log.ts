import { toIso } from "#lib/base/clock.ts";
import { db, Prisma } from "#lib/base/db.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { startOf, today } from "#lib/base/today.ts";
import { pickEmojis } from "#lib/fediverse/emojis.ts";
import type { RecentDecision } from "./decision-schema.ts";
import { reviewActions, type Log, type LogLine, type LogQuery } from "./log-schema.ts";

type LogRow = Omit<LogLine, "at"> & {
  at: Date;
  details: { decision_id?: unknown; undoes?: unknown } | null;
  emojis: unknown;
  reviewed_version: number | null;
};

/**
 * Decisions, without the lines of single posts in a batch. The first condition on `withdrawn` is the first column of the
 * index post_event_review_idx.
 */
const isReview = Prisma.sql`
  e.action IN (${Prisma.raw(reviewActions.map((action) => `'${action}'`).join(", "))})
  AND (e.action = 'withdrawn') IS FALSE AND e.details ->> 'batch_id' IS NULL`;

/** Conditions of filters that decisions and changes share. `lastId`: of the page before; empty for the first page. */
function sharedConditions(query: LogQuery, lastId: string | undefined): Prisma.Sql[] {
  return [
    ...(lastId ? [Prisma.sql`e.id < ${BigInt(lastId)}`] : []),
    ...(query.actor === undefined ? [] : [Prisma.sql`e.actor = ${query.actor}`]),
    ...(query.member_id === undefined ? [] : [Prisma.sql`e.member_id = ${query.member_id}`]),
    ...(query.source === undefined ? [] : [Prisma.sql`e.source = ${query.source}`]),
    ...(query.since === undefined ? [] : [Prisma.sql`e.at >= ${query.since}::timestamptz`]),
    ...(query.until === undefined ? [] : [Prisma.sql`e.at <= ${query.until}::timestamptz`]),
  ];
}

/** SQL of the newest lines of one table, one more than the page has. */
function linesOf(
  { limit }: LogQuery,
  table: Prisma.Sql,
  columns: Prisma.Sql,
  conditions: Prisma.Sql[],
): Prisma.Sql {
  return Prisma.sql`
    (SELECT e.id, e.at, e.actor, e.member_id, e.source, e.action, ${columns},
            -- Never later than a line above it, so that each kind keeps the order of its ids.
            min(e.at) OVER (ORDER BY e.id DESC) AS place
       FROM ${table} e WHERE ${Prisma.join(conditions, " AND ")}
      ORDER BY e.id DESC LIMIT ${limit + 1})`;
}

function decisionLines(query: LogQuery, lastId: string | undefined): Prisma.Sql {
  const { action, batch, post_id: post } = query;
  // A batch is found by post_event_batch_idx. The log of one post includes batches and deliveries.
  const which =
    batch !== undefined
      ? Prisma.sql`e.details ->> 'batch_id' = ${batch} AND e.post_id <> 0 AND e.action <> 'error'`
      : post !== undefined
        ? Prisma.sql`e.post_id = ${post}`
        : isReview;
  const one = action === undefined || action === "decisions" ? [] : [Prisma.sql`e.action = ${action}`];
  const columns = Prisma.sql`'decision' AS kind, NULL AS subject, NULL::jsonb AS before, NULL::jsonb AS after,
            nullif(e.post_id, 0) AS post_id, e.from_state, e.to_state, e.note, e.details`;
  return linesOf(query, Prisma.sql`post_event`, columns, [which, ...sharedConditions(query, lastId), ...one]);
}

function changeLines(query: LogQuery, lastId: string | undefined): Prisma.Sql {
  const { action } = query;
  const which =
    action === undefined || action === "changes"
      ? Prisma.sql`true`
      : Prisma.sql`(e.action = ${action} OR starts_with(e.action, ${`${action}.`}))`;
  const columns = Prisma.sql`'change' AS kind, e.subject, e.before, e.after,
            NULL::int AS post_id, NULL AS from_state, NULL AS to_state, NULL AS note, NULL::jsonb AS details`;
  return linesOf(query, Prisma.sql`audit_event`, columns, [which, ...sharedConditions(query, lastId)]);
}

/**
 * Decisions (`post_event`) and changes (`audit_event`), newest first, and one more than `limit` when there is a next
 * page. Each table is read along an index of its own, by id, and the two are merged by time. The cursor has the last id of
 * each, so that lines that are added meanwhile cause no gaps or repeats.
 */
export function logStatement(query: LogQuery): Prisma.Sql {
  const { action, batch, post_id: post } = query;
  const onlyDecisions =
    action === "decisions" || reviewActions.some((each) => each === action) || (batch ?? post) !== undefined;
  const onlyChanges = !onlyDecisions && action !== undefined;
  const [lastDecision, lastChange] = (query.cursor ?? "-").split("-");
  const parts = [
    ...(onlyChanges ? [] : [decisionLines(query, lastDecision)]),
    ...(onlyDecisions ? [] : [changeLines(query, lastChange)]),
  ];
  return Prisma.sql`
    SELECT e.id::text, e.kind, e.at, e.actor, e.member_id, e.source, e.action, e.subject, e.before, e.after,
           e.post_id, e.from_state AS "from", e.to_state AS "to", e.note, e.details,
           r.id AS reject_reason, r.label AS reject_reason_label,
           CASE WHEN e.details ? 'batch' THEN jsonb_build_object(
             'id', e.details ->> 'batch', 'decision', coalesce(e.details ->> 'decision', ''),
             'changed', coalesce((e.details ->> 'changed')::int, 0),
             'author_account', (
               SELECT CASE WHEN count(DISTINCT b.author_account) = 1 THEN min(b.author_account) END
                 FROM post_event part JOIN post b ON b.id = part.post_id
                WHERE part.details ->> 'batch_id' = e.details ->> 'batch' AND part.post_id <> 0 AND part.action <> 'error'))
           END AS batch,
           CASE WHEN p.id IS NOT NULL THEN jsonb_build_object(
             'url', coalesce(p.url, p.uri), 'author_account', p.author_account, 'snippet', p.snippet) END AS post,
           p.emojis, p.reviewed_version
      FROM (SELECT * FROM (${Prisma.join(parts, " UNION ALL ")}) part
             ORDER BY place DESC, kind DESC, id DESC LIMIT ${query.limit + 1}) e
      LEFT JOIN post p ON p.id = e.post_id
      LEFT JOIN reject_reason r ON r.id = (e.details -> 'reject_reason_id' ->> 'to')::int
     ORDER BY e.place DESC, e.kind DESC, e.id DESC`;
}

/** One page of the log. Only readers who may list the members see their e-mail addresses. */
export async function listLog(reader: Pick<Principal, "scopes">, query: LogQuery): Promise<Log> {
  const rows = await db.$queryRaw<LogRow[]>(logStatement(query));
  const seesMembers = reader.scopes.includes("manage");
  const items = rows
    .slice(0, query.limit)
    .map(({ details: _details, emojis: _emojis, reviewed_version: _version, ...row }): LogLine => {
      const line = { ...row, at: toIso(row.at) };
      return seesMembers || !line.action.startsWith("member.") ? line : withoutEmails(line);
    });
  const [decision, change] = (query.cursor ?? "-").split("-");
  const last = (kind: LogLine["kind"]) => items.findLast((line) => line.kind === kind)?.id;
  const cursor = `${last("decision") ?? decision}-${last("change") ?? change}`;
  return { items, next_cursor: rows.length > query.limit ? cursor : null };
}

/** For lines about members, which name them by address. Other lines have handles such as @user@host. */
function withoutEmails(line: LogLine): LogLine {
  const hidden = (key: string, value: unknown) =>
    typeof value === "string" && key !== "actor"
      ? value.replace(/ <[^\s<>]+@[^\s<>]+>/g, "").replace(/[^\s<>]+@[^\s<>]+/g, "(e-mail hidden)")
      : value;
  return JSON.parse(JSON.stringify(line), hidden) as LogLine;
}

/** Lines that are read for the list of recent decisions. A decision and its undo are two lines. */
const RECENT_LINES = 100;

/**
 * The member's last decisions at the desk, newest first, one for each post. Leaves out those that were undone or decided
 * again elsewhere, and deleted posts.
 */
export async function recentDecisions(memberId: number): Promise<RecentDecision[]> {
  const rows = await db.$queryRaw<LogRow[]>(
    logStatement({ action: "decisions", member_id: memberId, source: "screen", limit: RECENT_LINES }),
  );
  const seen = new Set<number>();
  return rows.flatMap((row): RecentDecision[] => {
    const { post_id, action, post, details } = row;
    if (post_id === null || seen.has(post_id)) return [];
    seen.add(post_id);
    const isDecision = action === "approve" || action === "reject" || action === "skip";
    if (!isDecision || details?.decision_id === undefined || details.undoes !== undefined) return [];
    if (post === null) return [];
    return [
      {
        post_id,
        version: row.reviewed_version ?? 1,
        decision: action,
        reason: [row.reject_reason_label, row.note].filter(Boolean).join(": ") || null,
        at: toIso(row.at),
        is_today: row.at >= startOf(today()),
        author_account: post.author_account,
        snippet: post.snippet,
        emojis: pickEmojis(row.emojis, [post.snippet]),
      },
    ];
  });
}

/** Number of the member's standing decisions of the present day, as the statistics of reviewers count. Index post_decided_idx. */
export async function countDecidedToday(memberId: number): Promise<number> {
  const [row] = await db.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM post
     WHERE approved IS NOT NULL AND reviewed_by_member = ${memberId} AND auto_reject_reason IS NULL
       AND reviewed_at >= ${startOf(today())}::timestamptz`;
  return row?.n ?? 0;
}
