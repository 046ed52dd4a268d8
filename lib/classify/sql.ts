import { z } from "zod";
import { db } from "#lib/db.ts";
import type { Copy } from "./repeats.ts";
import type { Verdict } from "./rules.ts";

export interface PostTextRow {
  id: number;
  plain_text: string;
  content: string;
  spoiler_text: string | null;
  hashtags: string[];
  media_count: number;
  language: string | null;
  author_key: string;
  author_created_at: Date | null;
  created_at: Date;
  stream_id: number | null;
  version: string;
}

/** `version` changes with the text; verdicts are written only to the same version. */
export async function postTextRows(ids: number[]): Promise<PostTextRow[]> {
  return db.$queryRaw<PostTextRow[]>`
    SELECT id, plain_text, content, spoiler_text, hashtags, media_count, language, author_key, author_created_at,
           created_at, stream_id, md5(plain_text) AS version
      FROM post WHERE id = ANY (${ids}::int[])`;
}

const CopyRow = z.object({
  fingerprint: z.bigint(),
  post_id: z.int(),
  author_key: z.string(),
  created_at: z.date(),
});

/** At most the newest 200 of each text: more change no verdict and would slow classification in a wave of spam. */
export async function copyRows(
  fingerprints: bigint[],
  from: Date,
  to: Date,
): Promise<(Copy & { fingerprint: bigint })[]> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT f.fingerprint, c.post_id, c.author_key, c.created_at
      FROM unnest(${fingerprints}::bigint[]) AS f (fingerprint),
           LATERAL (SELECT id AS post_id, author_key, created_at FROM post
                     WHERE text_fingerprint = f.fingerprint
                       AND created_at BETWEEN ${from}::timestamptz - interval '24 hours'
                                          AND ${to}::timestamptz + interval '24 hours'
                     ORDER BY created_at DESC LIMIT 200) c`;
  return CopyRow.array().parse(rows);
}

export async function harmlessUnreviewedIds(ids: number[]): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM post WHERE id = ANY (${ids}::int[]) AND approved IS NULL AND ai_would_reject = false`;
  return rows.map((row) => row.id);
}

export interface VerdictRow {
  id: number;
  version: string;
  fingerprint: bigint | null;
  verdict: Verdict;
}

/**
 * Posts edited meanwhile stay unclassified.
 *
 * @returns number of written rows
 */
export async function writeVerdictRows(rows: VerdictRow[]): Promise<number> {
  const values = JSON.stringify(
    rows.map(({ id, version, fingerprint, verdict }) => ({
      id,
      version,
      // A JSON number would be rounded.
      fingerprint: fingerprint === null ? null : fingerprint.toString(),
      would_reject: verdict.would_reject,
      score: verdict.score,
      reasons: verdict.reasons,
      checks: verdict.checks,
      text_reason: verdict.checks[0]?.reason ?? null,
    })),
  );
  return db.$executeRaw`
    UPDATE post p
       SET ai_would_reject = v.would_reject, ai_score = v.score, ai_reasons = v.reasons, ai_checks = v.checks,
           text_reason = v.text_reason, text_fingerprint = v.fingerprint, classified_at = now(),
           vision_category = CASE WHEN p.media_count = 0 THEN 'none'
                                  WHEN p.vision_category = 'none' THEN NULL ELSE p.vision_category END
      FROM jsonb_to_recordset(${values}::jsonb) AS v (
             id int, version text, fingerprint bigint, would_reject boolean, score real, reasons jsonb, checks jsonb,
             text_reason text)
     WHERE p.id = v.id AND md5(p.plain_text) = v.version`;
}

/** Oldest first. */
export async function unclassifiedIds(limit: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM post WHERE classified_at IS NULL ORDER BY id LIMIT ${limit}`;
  return rows.map((row) => row.id);
}
