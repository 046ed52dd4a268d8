import type { Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { addressOf, type Address } from "#lib/collect/adopt-address.ts";
import { ingestPosts } from "#lib/collect/ingest-posts.ts";
import { streamDefaults } from "#lib/collect/stream-schema.ts";
import { readPostTexts } from "#lib/collect/post-row.ts";
import { enqueuePosts, wantSourceChecks } from "#lib/queue/queue-entries.ts";
import { autoReason, isoOf, jsonOf, stateOf, toNormalised } from "./convert-post.ts";
import type { FenLiuPost, FenLiuState } from "./convert-post.ts";
import type { ImportResult } from "./import-file.ts";
import type { ImportedStream, Skipped } from "./import-settings.ts";

interface Readable {
  row: FenLiuPost;
  state: FenLiuState;
  address: Address;
  post: Extract<ReturnType<typeof toNormalised>, { ok: true }>["post"];
}

/** Converts rows. @param skipped receives the rows that cannot be taken */
async function readBatch(rows: FenLiuPost[], now: Date, skipped: Skipped[]): Promise<Readable[]> {
  const posts: Readable[] = [];
  for (const row of rows) {
    const address = addressOf(row.url);
    const read = address === null ? null : readRow(row, address, now);
    if (address !== null && read?.ok) posts.push({ row, address, post: read.post, state: stateOf(row) });
    else {
      const reason =
        read === null || read.ok ? "has no address" : `cannot be read (${read.reason.replaceAll("_", " ")})`;
      skipped.push({ table: "posts", id: row.id, reason });
    }
  }
  await readPostTexts(posts.map(({ post }) => post));
  return posts;
}

/** Converts a row. Any value may have a wrong type, because FenLiu checks none. */
function readRow(row: FenLiuPost, address: Address, now: Date): ReturnType<typeof toNormalised> {
  try {
    return toNormalised(row, address, now);
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, reason: "unreadable", uri: null };
    throw error;
  }
}

const NO_STREAM = { id: null, hashtag: null, hashtag_folded: null };
const NO_RULES = { ...streamDefaults, hashtag: "", instance: "" };

interface Import {
  streams: ReadonlyMap<number, ImportedStream>;
  /** Times of approval, by id. */
  approvedAt: ReadonlyMap<number, number>;
  startedAt: Date;
  /** Counts the taken posts. */
  result: ImportResult;
}

export async function importBatch(
  tx: Tx,
  rows: FenLiuPost[],
  { streams, approvedAt, startedAt, result }: Import,
): Promise<void> {
  const posts = await readBatch(rows, startedAt, result.skipped);
  const reasons = new Map<string, string>();
  for (const [id, group] of Map.groupBy(posts, ({ row }) => row.stream_id)) {
    const stream = { ...NO_RULES, ...(streams.get(id ?? 0) ?? NO_STREAM) };
    const imported = new Map(
      group.map(({ row, post }) => [
        post.uri,
        { id: row.id, fetched_at: isoOf(row.fetched_at) ?? startedAt.toISOString() },
      ]),
    );
    const entries = group.map(({ post }) => ({ ok: true as const, post }));
    const { dropped_posts } = await ingestPosts(tx, stream, entries, { imported });
    for (const [uri, reason] of dropped_posts) reasons.set(uri, reason);
  }
  const found = await tx.post.findMany({
    where: { uri: { in: posts.map(({ post }) => post.uri) } },
    select: { id: true, uri: true },
  });
  const stored = new Map(found.map(({ id, uri }) => [uri, id]));
  const taken: (Readable & { id: number })[] = [];
  for (const each of posts) {
    const id = stored.get(each.post.uri);
    if (id !== undefined) taken.push({ ...each, id });
    else {
      const reason = reasons.get(each.post.uri) ?? "was deleted here";
      result.skipped.push({ table: "posts", id: each.row.id, reason });
    }
  }
  const written = taken.map((each) => rowOf(each, approvedAt.get(each.row.id), startedAt));
  const decided = new Set(await writePosts(tx, written));
  const queued = written.filter(({ post_id, state }) => decided.has(post_id) && state !== "rejected");
  // Each at its own time.
  const ids = queued.map(({ post_id }) => post_id);
  await enqueuePosts(tx, ids, null);
  await writeEntries(tx, queued, env().RESERVE_TIMEOUT_SECONDS);
  // Their own servers name their uris later (lib/collect/adopt-address.ts).
  const derived = idsOf(taken.filter(({ address }) => address.kind !== "own"));
  await tx.post.updateMany({ where: { id: { in: derived } }, data: { uri_derived: true } });
  const unverifiable = taken.filter(
    ({ address, state }) => address.kind === "unknown" && (state === "pending" || state === "unreviewed"),
  );
  await wantSourceChecks(tx, idsOf(unverifiable));
  result.unverifiable += unverifiable.length;
  for (const { state } of taken) result.posts[state] = (result.posts[state] ?? 0) + 1;
}

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

type ImportedRow = ReturnType<typeof rowOf>;

/** Columns of `post` that a row of FenLiu fills; times are ISO 8601. */
function rowOf(
  { id, row, state, address }: Readable & { id: number },
  queued: number | undefined,
  now: Date,
) {
  const approved_at = queued === undefined ? null : new Date(queued).toISOString();
  const at = isoOf(row.reviewed_at);
  const reason = state === "rejected" ? autoReason(row) : null;
  const score = row.manual_spam_score ?? -1;
  const settled = at ?? isoOf(row.fetched_at);
  const isError = state === "error";
  return {
    post_id: id,
    state,
    reviewed_at: approved_at ?? at ?? now.toISOString(),
    approved_at,
    reviewed_by: reason === null ? "FenLiu" : null,
    auto_reject_reason: reason,
    reviewer_notes: row.reviewer_notes ?? null,
    manual_spam_score: Number.isInteger(score) && score >= 0 && score <= 100 ? score : null,
    delivered_at:
      state === "delivered" ? (isoOf(row.delivered_at) ?? isoOf(row.export_date) ?? settled) : null,
    errored_at: isError ? (isoOf(row.errored_at) ?? settled) : null,
    reserved_at: state === "reserved" ? isoOf(row.reserved_at) : null,
    error_reason: isError ? (row.error_reason ?? "") : null,
    error_details: isError ? (jsonOf(row.error_details) ?? null) : null,
    is_known: address.kind !== "unknown",
    note: row.auto_reject_reason,
    details: { fenliu_post_id: row.id },
    at,
  };
}

/** Writes decisions. @returns ids of the posts that had none before */
async function writePosts(tx: Tx, rows: ImportedRow[]): Promise<number[]> {
  const json = JSON.stringify(rows);
  await tx.$executeRaw`
    UPDATE post p SET reviewer_notes = r.reviewer_notes, manual_spam_score = r.manual_spam_score
      FROM jsonb_to_recordset(${json}::jsonb) AS r (post_id int, reviewer_notes text, manual_spam_score smallint)
     WHERE p.id = r.post_id AND (r.reviewer_notes IS NOT NULL OR r.manual_spam_score IS NOT NULL)`;
  // Without the former state, because FenLiu has none.
  await tx.$executeRaw`
    INSERT INTO post_event (post_id, at, actor, source, action, to_state, note, details)
    SELECT r.post_id, coalesce(r.at, now()), 'FenLiu', 'service', 'import', r.state, r.note, r.details
      FROM jsonb_to_recordset(${json}::jsonb)
           AS r (post_id int, state text, note text, details jsonb, at timestamptz) ORDER BY r.post_id`;
  const decided = await tx.$queryRaw<{ id: number }[]>`
    UPDATE post p SET approved = r.state <> 'rejected', reviewed_at = r.reviewed_at, approved_at = r.approved_at,
           reviewed_by = r.reviewed_by, auto_reject_reason = r.auto_reject_reason, updated_at = now()
      FROM jsonb_to_recordset(${json}::jsonb)
           AS r (post_id int, state text, reviewed_at timestamptz, approved_at timestamptz, reviewed_by text, auto_reject_reason text)
     WHERE p.id = r.post_id AND r.state <> 'unreviewed'
       AND (p.approved IS NULL OR p.auto_reject_reason IN ('blocked_user', 'blocked_hashtag', 'bot'))
    RETURNING p.id`;
  return decided.map(({ id }) => id);
}

/**
 * Writes queue entries as `pending` and then changes their states, so that deliveries and errors are counted at their times. No
 * entry is confirmed, whatever CONFIRM_WITHIN_HOURS is (confirmed_since). Without a known address it is unverifiable.
 */
async function writeEntries(tx: Tx, rows: ImportedRow[], timeout: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE queue_entry q SET state = r.state, delivered_at = r.delivered_at, errored_at = r.errored_at,
           error_reason = r.error_reason, error_details = r.error_details, reserved_at = r.reserved_at,
           lease_id = CASE r.state WHEN 'reserved' THEN gen_random_uuid() END,
           lease_label = CASE r.state WHEN 'reserved' THEN 'FenLiu' END,
           lease_expires_at = CASE r.state WHEN 'reserved' THEN now() + ${timeout}::int * interval '1 second' END,
           confirmed_at = confirmed_since(0), holds = (q.holds & ~(4 | 8)) | CASE WHEN r.is_known THEN 4 ELSE 8 END
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           AS r (post_id int, state text, delivered_at timestamptz, errored_at timestamptz, reserved_at timestamptz,
                 error_reason text, error_details jsonb, is_known boolean)
     WHERE q.post_id = r.post_id`;
}
