import { z } from "zod";
import { db } from "#lib/base/db.ts";
import { RawPicture } from "#lib/checks/results/raw-checks.ts";

/** Longer than the downloads of a post take. */
const LEASE_SECONDS = 120;
/** Time after which stored results that were not judged are judged again. */
const JUDGE_AFTER_MS = 60_000;

const ClaimedRow = z.object({
  post_id: z.int(),
  lease: z.date(),
  attempts: z.int(),
  media: z.unknown(),
  /** Changes with the media; results are stored only for the same version. */
  version: z.string(),
  pictures: RawPicture.array()
    // Unreadable results of another version of this program: the pictures are checked again.
    .catch([]),
});
export type ClaimedPost = z.output<typeof ClaimedRow>;

/** Posts whose pictures are due, oldest request first, leased for two minutes. */
export async function claimPosts(limit: number): Promise<ClaimedPost[]> {
  const rows = await db.$queryRaw<unknown[]>`
    WITH due AS (
      SELECT post_id FROM post_check
       WHERE picture_state = 'waiting' AND picture_due_at <= now()
         AND (picture_lease_until IS NULL OR picture_lease_until < now())
       ORDER BY picture_due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE post_check c SET picture_lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
      FROM due JOIN post p ON p.id = due.post_id
     WHERE c.post_id = due.post_id
    RETURNING c.post_id, c.picture_lease_until AS lease, c.picture_attempts::int AS attempts, c.pictures,
              p.media, md5(p.media::text) AS version`;
  return ClaimedRow.array().parse(rows);
}

export async function isAnyDue(): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM post_check
     WHERE picture_state = 'waiting' AND picture_due_at <= now()
       AND (picture_lease_until IS NULL OR picture_lease_until < now())
    UNION ALL
    SELECT 1 FROM post_check
     WHERE picture_state <> 'waiting' AND picture_due_at IS NOT NULL AND picture_due_at <= now()
    LIMIT 1`;
  return rows.length > 0;
}

export interface PictureResult {
  state: "none" | "waiting" | "done" | "unavailable";
  attempts: number;
  /** Time of the next attempt; null with `waiting`: not until the classifiers can be used. */
  due_at: Date | null;
  pictures: RawPicture[];
}

/**
 * Final results are due for judging until `markJudged`.
 *
 * @returns whether they were stored: not when the lease was lost or the media changed, which makes the post due again
 */
export async function storeResult(
  { post_id, lease, version }: ClaimedPost,
  { state, attempts, due_at, pictures }: PictureResult,
): Promise<boolean> {
  const due = state === "waiting" ? due_at : new Date(Date.now() + JUDGE_AFTER_MS);
  const stored = await db.$executeRaw`
    UPDATE post_check c
       SET picture_state = ${state}, picture_attempts = ${attempts}::smallint, picture_due_at = ${due},
           picture_lease_until = NULL, pictures = ${JSON.stringify(pictures)}::jsonb, updated_at = now()
      FROM post p
     WHERE c.post_id = ${post_id}::int AND p.id = c.post_id AND c.picture_lease_until = ${lease}
       AND md5(p.media::text) = ${version}`;
  if (stored > 0) return true;
  await db.$executeRaw`
    UPDATE post_check SET picture_due_at = now(), picture_lease_until = NULL
     WHERE post_id = ${post_id}::int AND picture_lease_until = ${lease}`;
  return false;
}

/** Final results that no process has judged, because it ended or failed. */
export async function unjudgedIds(limit: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ post_id: number }[]>`
    SELECT post_id FROM post_check
     WHERE picture_state <> 'waiting' AND picture_due_at IS NOT NULL AND picture_due_at <= now()
     ORDER BY picture_due_at LIMIT ${limit}`;
  return rows.map((row) => row.post_id);
}

/** A post whose pictures wait again is left alone. */
export async function markJudged(postIds: readonly number[]): Promise<void> {
  await db.$executeRaw`
    UPDATE post_check SET picture_due_at = NULL
     WHERE post_id = ANY (${[...postIds]}::int[]) AND picture_state <> 'waiting'`;
}

/** Unreviewed posts that wait until the classifiers can be used. */
export async function wakeWaiting(): Promise<number> {
  return db.$executeRaw`
    UPDATE post_check c SET picture_due_at = now()
      FROM post p
     WHERE c.picture_state = 'waiting' AND c.picture_due_at IS NULL AND p.id = c.post_id AND p.approved IS NULL`;
}
