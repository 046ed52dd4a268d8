import type { Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { addressOf, type Address } from "#lib/collect/derive-address.ts";
import { ingestPosts } from "#lib/collect/ingest-posts.ts";
import { withDefaults } from "#lib/collect/settings-schema.ts";
import { readPostTexts } from "#lib/collect/post-row.ts";
import { enqueuePosts, wantSourceChecks } from "#lib/queue/queue-entries.ts";
import { autoReason, isoOf, jsonOf, stateOf, toNormalised } from "./convert-post.ts";
import type { FenLiuPost, FenLiuState } from "./convert-post.ts";
import type { Plan } from "./fenliu-file.ts";
import type { ImportResult } from "./import-file.ts";
import type { ImportedStream, Skipped } from "./import-settings.ts";
import { writeEntries, writePosts } from "./sql.ts";

interface Readable {
  row: FenLiuPost;
  state: FenLiuState;
  address: Address;
  post: Extract<ReturnType<typeof toNormalised>, { ok: true }>["post"];
}

/** @param skipped rows that are not taken are added to it */
export async function readBatch(
  rows: FenLiuPost[],
  merged: ReadonlySet<number>,
  now: Date,
  skipped: Skipped[],
): Promise<Readable[]> {
  const posts: Readable[] = [];
  for (const row of rows) {
    if (merged.has(row.id)) continue;
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

/** FenLiu checks no type of a value. */
function readRow(row: FenLiuPost, address: Address, now: Date): ReturnType<typeof toNormalised> {
  try {
    return toNormalised(row, address, now);
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, reason: "unreadable", uri: null };
    throw error;
  }
}

const NO_STREAM = { id: null, hashtag: null, hashtag_folded: null };
const NO_RULES = withDefaults({ hashtag: "", instance: "" });

/** @param into what is taken is added to `result` */
export async function importBatch(
  tx: Tx,
  posts: Readable[],
  into: {
    streams: ReadonlyMap<number, ImportedStream>;
    plan: Plan;
    startedAt: Date;
    result: ImportResult;
  },
): Promise<void> {
  const { streams, plan, startedAt, result } = into;
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
  const rows = taken.map((each) => rowOf(each, plan, startedAt));
  const decided = new Set(await writePosts(tx, rows));
  const queued = rows.filter(({ post_id, state }) => decided.has(post_id) && state !== "rejected");
  // Each at its own time.
  await enqueuePosts(
    tx,
    queued.map(({ post_id }) => post_id),
    null,
  );
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

export type ImportedRow = ReturnType<typeof rowOf>;

/** Columns of a stored post that FenLiu's row fills; times are ISO 8601. */
function rowOf({ id, row, state, address }: Readable & { id: number }, plan: Plan, now: Date) {
  const queued = plan.approvedAt.get(row.id);
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
