import { db } from "#lib/base/db.ts";

export interface FailedRow {
  post_id: number;
  snippet: string;
  reported_by: string | null;
  timeouts: number;
  /** The consumer's text, unchanged. */
  matched: string | null;
}

export async function failedOfReason(reason: string, limit: number): Promise<FailedRow[]> {
  return db.$queryRaw<FailedRow[]>`
    SELECT q.post_id, p.snippet, q.lease_label AS reported_by, q.timeouts, q.error_details ->> 'matched_post_id' AS matched
      FROM queue_entry q JOIN post p ON p.id = q.post_id
     WHERE q.state = 'error' AND q.error_reason = ${reason}
     ORDER BY q.errored_at DESC, q.post_id DESC LIMIT ${limit}::int`;
}

export async function failedDuplicates(limit: number): Promise<FailedRow[]> {
  return db.$queryRaw<FailedRow[]>`
    SELECT q.post_id, p.snippet, q.lease_label AS reported_by, q.timeouts, q.error_details ->> 'matched_post_id' AS matched
      FROM queue_entry q JOIN post p ON p.id = q.post_id
     WHERE q.state = 'error' AND q.error_details ->> 'error_type' = 'duplicate_attachment'
     ORDER BY q.errored_at DESC, q.post_id DESC LIMIT ${limit}::int`;
}

/** The newest `each` of the most frequent reasons. */
export async function failedOfEachReason(reasons: number, each: number): Promise<FailedRow[]> {
  return db.$queryRaw<FailedRow[]>`
    SELECT q.post_id, p.snippet, q.lease_label AS reported_by, q.timeouts, q.error_details ->> 'matched_post_id' AS matched
      FROM (SELECT (array_agg(post_id ORDER BY errored_at DESC, post_id DESC))[:${each}::int] AS ids
              FROM queue_entry WHERE state = 'error'
             GROUP BY error_reason ORDER BY count(*) DESC, error_reason LIMIT ${reasons}::int) g
      JOIN queue_entry q ON q.post_id = ANY (g.ids)
      JOIN post p ON p.id = q.post_id
     ORDER BY q.errored_at DESC, q.post_id DESC`;
}
