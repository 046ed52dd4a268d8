import { toIso } from "#lib/clock.ts";
import { fetchRunRows } from "./fetch-sql.ts";
import { requireStream } from "./get-stream.ts";
import type { FetchRun } from "./schema.ts";

/** The newest fetches of a stream, at most `limit`. @throws ApiError `stream_not_found` */
export async function listFetchRuns(streamId: number, limit: number): Promise<FetchRun[]> {
  await requireStream(streamId);
  const rows = await fetchRunRows(streamId, limit);
  return rows.map((row) => ({
    id: Number(row.id),
    started_at: toIso(row.started_at),
    finished_at: toIso(row.finished_at),
    seen: row.seen,
    new: row.new,
    duplicates: row.duplicates,
    updated: row.updated,
    auto_rejected: row.auto_rejected,
    dropped: row.dropped,
    pages: row.pages,
    error: row.error,
  }));
}
