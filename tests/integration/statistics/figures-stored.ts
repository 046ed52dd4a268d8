import { setSwitches } from "#tests/setup/factories.ts";
import { db } from "#lib/base/db.ts";

export interface Stored {
  stream_id: number | null;
  approved: boolean | null;
  media_count: number;
  instance: string;
  fetched_at: Date;
  reviewed_at: Date | null;
  auto_reject_reason: string | null;
  reviewed_by: string | null;
  reviewed_by_member: number | null;
  state: string | null;
  approved_at: Date | null;
  delivered_at: Date | null;
  errored_at: Date | null;
  error_reason: string | null;
  /** Of a pending entry; a hold comes before a backoff. */
  pending_state: "eligible" | "backoff" | "held" | null;
}

export async function readStored(): Promise<Stored[]> {
  return db.$queryRaw<Stored[]>`
    SELECT p.stream_id, p.approved, p.media_count::int, p.instance, p.fetched_at, p.reviewed_at, p.auto_reject_reason, p.reviewed_by,
           p.reviewed_by_member, e.state, e.approved_at, e.delivered_at, e.errored_at, e.error_reason,
           CASE WHEN e.state IS DISTINCT FROM 'pending' THEN NULL
                WHEN e.holds <> 0 THEN 'held'
                WHEN e.not_before IS NOT NULL THEN 'backoff'
                ELSE 'eligible' END AS pending_state
      FROM post p LEFT JOIN queue_entry e ON e.post_id = p.id ORDER BY p.id`;
}

export function changeAttributes(name: string, seed: number): () => Promise<unknown> {
  const some = `(id + ${seed % 97}) % 3 = 0`;
  const entries = `state = 'pending' AND (post_id + ${seed % 89}) % 2 = 0`;
  const statements: Record<string, string> = {
    attributes: `UPDATE post SET reviewed_by = (ARRAY['Bot', 'Ann'])[1 + id % 2],
               reviewed_by_member = nullif(7 * (id % 2), 0)
             WHERE ${some}`,
    hold: `UPDATE queue_entry SET holds = holds | 8 WHERE ${entries}`,
    backOff: `UPDATE queue_entry SET refusals = 6, not_before = now() + interval '1 hour'
                WHERE state = 'pending' AND post_id % 3 = 0`,
  };
  if (name === "switch") return () => setSwitches({ require_media: true });
  const statement = statements[name];
  if (statement === undefined) throw new Error(`no step ${name}`);
  return () => db.$executeRawUnsafe(statement);
}

const byFilters = (post: Stored) => post.approved === false && post.auto_reject_reason !== null;
const byPeople = (post: Stored) => post.approved !== null && !byFilters(post);

type Filter = [query: string, has: (post: Stored) => boolean];

/** Filters of GET /posts for the lists behind figures, each with its condition for one post. */
export function filters(stored: readonly Stored[]): Filter[] {
  const columns = ["fetched_at", "reviewed_at", "delivered_at", "errored_at"] as const;
  return [
    ["queue_status=waiting", ({ state }) => state === "pending" || state === "reserved"],
    ["reviewer=7", (post) => byPeople(post) && post.reviewed_by_member === 7],
    ["reviewed_by=Ann", (post) => byPeople(post) && post.reviewed_by === "Ann"],
    ["auto_rejected=false", (post) => !byFilters(post)],
    [
      "auto_reject_reason=blocked_user",
      (post) => byFilters(post) && post.auto_reject_reason === "blocked_user",
    ],
    ["error_reason=gone", (post) => post.error_reason === "gone"],
    ...columns.flatMap((column): Filter[] => {
      const times = stored.flatMap((post) => post[column] ?? []).sort((a, b) => a.getTime() - b.getTime());
      const middle = times[Math.floor(times.length / 2)] ?? new Date();
      const happened = `happened=${column.replace("_at", "")}`;
      return [
        [happened, (post) => post[column] !== null],
        [`${happened}&since=${middle.toISOString()}`, (post) => (post[column] ?? -Infinity) >= middle],
        [`${happened}&until=${middle.toISOString()}`, (post) => (post[column] ?? Infinity) <= middle],
      ];
    }),
  ];
}
