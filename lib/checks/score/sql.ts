import { z } from "zod";
import { db, type Tx } from "#lib/base/db.ts";
import type { PostTextRow } from "#lib/checks/results/post-text.ts";
import type { LearnerReason, RawChecks, RawRule } from "#lib/checks/results/raw-checks.ts";
import type { Copy } from "#lib/checks/rules/repeats.ts";

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

export type NewText = Omit<PostTextRow, "id" | "author" | "instance" | "version"> & { uri: string };

/** Of posts that are not stored yet; their ids are below 0. */
export async function newTextRows(posts: readonly NewText[]): Promise<(PostTextRow & { uri: string })[]> {
  const named = posts.map(({ author_key, host, uri }, n) => ({ n, author_key, host, uri }));
  const rows = await db.$queryRaw<{ n: number; author: number; instance: number }[]>`
    WITH number AS MATERIALIZED (
      SELECT name, name_number(name)::float8 AS n
        FROM unnest(${[...new Set(named.flatMap((post) => [post.author_key, post.host]))]}::text[]) name)
    SELECT t.n, a.n AS author, i.n AS instance
      FROM jsonb_to_recordset(${JSON.stringify(named)}::jsonb) AS t (n int, author_key text, host text, uri text)
      JOIN number a ON a.name = t.author_key JOIN number i ON i.name = t.host
     WHERE NOT EXISTS (SELECT FROM post p WHERE p.uri = t.uri) ORDER BY t.n`;
  return rows.flatMap(({ n, author, instance }) => {
    const post = posts[n];
    return post === undefined ? [] : [{ ...post, id: -1 - n, author, instance, version: "" }];
  });
}

export async function harmlessUnreviewedIds(ids: number[]): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM post WHERE id = ANY (${ids}::int[]) AND approved IS NULL AND ai_would_reject = false`;
  return rows.map((row) => row.id);
}

/** Locks the posts in order of id. Leaves out posts that were edited or erased meanwhile. */
export async function lockSameText(
  tx: Tx,
  rows: readonly Pick<PostTextRow, "id" | "version">[],
): Promise<Set<number>> {
  const locked = await tx.$queryRaw<{ id: number }[]>`
    SELECT p.id FROM post p
      JOIN unnest(${rows.map((row) => row.id)}::int[], ${rows.map((row) => row.version)}::text[]) AS v (id, version)
        ON v.id = p.id
     WHERE md5(p.plain_text) = v.version AND p.erased_at IS NULL
     ORDER BY p.id FOR NO KEY UPDATE OF p`;
  return new Set(locked.map((row) => row.id));
}

export interface TextCheckRow {
  id: number;
  rules: RawRule[];
  learner_score: number | null;
  learner_reasons: LearnerReason[];
  picture_state: RawChecks["picture_state"];
  /** Look at the pictures, from the first attempt on. */
  pictures_due: boolean;
}

/** Stores results of the text stage: one row of `post_check` for each post, replaced when it exists. One statement. */
export async function writeTextChecks(tx: Tx, rows: readonly TextCheckRow[]): Promise<void> {
  const values = JSON.stringify(
    rows.map(({ id, rules, learner_score, learner_reasons, picture_state, pictures_due }) => ({
      id,
      rules,
      learner_score,
      learner_reasons,
      picture_state,
      pictures_due,
    })),
  );
  await tx.$executeRaw`
    INSERT INTO post_check AS c (post_id, rules, learner_score, learner_reasons, picture_state, picture_due_at)
    SELECT id, rules, learner_score, learner_reasons, picture_state, CASE WHEN pictures_due THEN now() END
      FROM jsonb_to_recordset(${values}::jsonb) AS v (
             id int, rules jsonb, learner_score real, learner_reasons jsonb, picture_state text, pictures_due boolean)
     ORDER BY id
    ON CONFLICT (post_id) DO UPDATE
      SET rules = excluded.rules, learner_score = excluded.learner_score, learner_reasons = excluded.learner_reasons,
          updated_at = now()`;
  const due = rows.filter((row) => row.pictures_due).map((row) => row.id);
  const without = rows.filter((row) => row.picture_state === "none").map((row) => row.id);
  await setPictureState(tx, due, "waiting");
  await setPictureState(tx, without, "none");
}

async function setPictureState(tx: Tx, ids: number[], state: "waiting" | "none"): Promise<void> {
  if (ids.length === 0) return;
  await tx.$executeRaw`
    UPDATE post_check
       SET picture_state = ${state}, picture_attempts = 0, picture_lease_until = NULL,
           picture_due_at = CASE WHEN ${state} = 'waiting' THEN now() END
     WHERE post_id = ANY (${ids}::int[])
       AND (picture_state <> ${state}
            OR ${state} = 'waiting' AND coalesce(picture_due_at, 'infinity') > now()
               AND coalesce(picture_lease_until, '-infinity') < now())`;
}

export async function existingIds(ids: readonly number[]): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`SELECT id FROM post WHERE id = ANY (${ids}::int[])`;
  return rows.map((row) => row.id);
}

/** Posts whose pictures or remote checks are still to be done. */
export async function countQueued(ids: readonly number[]): Promise<number> {
  return db.post_check.count({
    where: {
      post_id: { in: [...ids] },
      OR: [{ picture_state: "waiting" }, { remote_state: "waiting" }],
    },
  });
}

/** Of posts without advice, oldest first. */
export async function unclassifiedIds(limit: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM post WHERE classified_at IS NULL ORDER BY classified_at NULLS FIRST, id LIMIT ${limit}`;
  return rows.map((row) => row.id);
}

/** Cut to milliseconds, never rounded up. */
export async function databaseTime(): Promise<Date> {
  const rows = await db.$queryRaw<{ at: Date }[]>`SELECT date_trunc('milliseconds', clock_timestamp()) AS at`;
  return rows[0]?.at ?? new Date();
}

/** Time of the next attempt at the pictures. */
export async function pictureDueAt(postId: number): Promise<Date | null> {
  const row = await db.post_check.findUnique({
    where: { post_id: postId },
    select: { picture_due_at: true },
  });
  return row?.picture_due_at ?? null;
}

export interface WarnedRow {
  /** Null: all decided posts. */
  name: string | null;
  warned: number;
  rejected: number;
}

/** Stored posts that each check warned of before their decision: `warned_by` of the lists. */
export function warnedRows(): Promise<WarnedRow[]> {
  return db.$queryRaw<WarnedRow[]>`
    SELECT name, count(*)::int AS warned, (count(*) FILTER (WHERE NOT p.approved))::int AS rejected
      FROM (SELECT post_id, warned FROM learnt ORDER BY reviewed_at DESC LIMIT 20000) x JOIN post p ON p.id = x.post_id, unnest(x.warned || NULL::text) AS name
     WHERE p.approved IS NOT NULL
     GROUP BY name`;
}
