import { toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";
import { percent } from "#lib/stats/metrics-schema.ts";
import { countStreamPosts, type StreamPosts } from "#lib/stats/get-stats.ts";
import { fetchRunRows } from "./fetch-sql.ts";
import type { FetchRun, Stream, StreamState } from "./stream-schema.ts";
import { pickSettings, type StreamSetting } from "./settings-schema.ts";
import { streamsWithPosts, type StreamRow } from "./stream-sql.ts";

type InternalColumn =
  | "hashtag_folded"
  | "error_count"
  | "cursor"
  | "fetch_lease"
  | "fetch_lease_until"
  | "asked_at";

/** @throws ApiError `stream_not_found` */
export async function getStream(id: number): Promise<Stream> {
  const [row, counts, fixed] = await Promise.all([
    requireStream(id),
    countStreamPosts([id]),
    streamsWithPosts([id]),
  ]);
  return serializeStream(row, counts.get(id), fixed.has(id));
}

async function requireStream(id: number): Promise<StreamRow> {
  const row = await db.stream.findUnique({ where: { id } });
  if (row === null) throw new ApiError("stream_not_found", { id });
  return row as StreamRow;
}

/** A page in order of id, and the total. */
export async function listStreams(filter: {
  active?: boolean | undefined;
  skip: number;
  limit: number;
}): Promise<{ items: Stream[]; total: number; skip: number; limit: number }> {
  const { active, skip, limit } = filter;
  const where = active === undefined ? {} : { active };
  const [rows, total] = await Promise.all([
    db.stream.findMany({ where, orderBy: { id: "asc" }, skip: Math.min(skip, MAX_ID), take: limit }),
    db.stream.count({ where }),
  ]);
  const ids = rows.map((row) => row.id);
  const [counts, fixed] = await Promise.all([countStreamPosts(ids), streamsWithPosts(ids)]);
  const items = rows.map((row) => serializeStream(row as StreamRow, counts.get(row.id), fixed.has(row.id)));
  return { items, total, skip, limit };
}

/** For a select box: the first 1000. */
export async function streamChoices(): Promise<{ id: number; hashtag: string; instance: string }[]> {
  return db.stream.findMany({
    select: { id: true, hashtag: true, instance: true },
    orderBy: { id: "asc" },
    take: 1000,
  });
}

/** One definition for list, page, Home and API (docs/api.md#streams). */
function stateOf(
  row: Pick<StreamRow, "active" | "last_error_kind" | "failing_since" | "last_fetch">,
): StreamState {
  if (!row.active) return "paused";
  if (row.last_error_kind === "needs_token" || row.last_error_kind === "token_refused")
    return "waiting_for_token";
  if (row.failing_since !== null) return "failing";
  return row.last_fetch === null ? "checking" : "working";
}

function serializeStream(row: StreamRow, counts: StreamPosts | undefined, fixed: boolean): Stream {
  // Fails to compile when a column is neither a setting, nor internal, nor listed here.
  const state = {
    id: row.id,
    failing_since: toIso(row.failing_since),
    next_scheduled_fetch: toIso(row.next_scheduled_fetch),
    last_fetch: toIso(row.last_fetch),
    last_check: toIso(row.last_check),
    last_error: row.last_error,
    last_error_kind: row.last_error_kind,
    behind_since: toIso(row.behind_since),
    platform: row.platform,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  } satisfies Record<Exclude<keyof StreamRow, StreamSetting | InternalColumn>, unknown>;
  return {
    ...pickSettings(row),
    ...state,
    state: stateOf(row),
    source_fixed: fixed,
    post_count: counts?.posts ?? 0,
    approved_count: counts?.approved ?? 0,
    rejected_count: counts?.rejected ?? 0,
    unreviewed_count: counts?.unreviewed ?? 0,
    approval_rate: rateOf(counts),
  };
}

/** @throws ApiError `stream_not_found` */
export async function listFetchRuns(streamId: number, limit: number): Promise<FetchRun[]> {
  await requireStream(streamId);
  const rows = await fetchRunRows(streamId, limit);
  return rows.map((row) => ({
    ...row,
    id: Number(row.id),
    started_at: toIso(row.started_at),
    finished_at: toIso(row.finished_at),
  }));
}

function rateOf(counts: StreamPosts | undefined): number | null {
  const { all_approved, all_decided } = counts ?? { all_approved: 0, all_decided: 0 };
  return all_decided === 0 ? null : percent(all_approved, all_decided);
}
