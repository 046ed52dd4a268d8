import { z } from "zod";
import { db, type Tx } from "#lib/base/db.ts";
import { setting } from "#lib/base/setting.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { adviseAgain } from "#lib/checks/results/advise-again.ts";
import { postTexts } from "#lib/checks/results/post-text.ts";
import type { RawRule } from "#lib/checks/results/raw-checks.ts";
import { readPost } from "#lib/checks/rules/read-text.ts";
import { ALL, type Counts, type ReviewCount } from "./counts.ts";
import { featureId, featureNames } from "./features.ts";

/** Approvals and rejections that the learner needs before it votes. */
export const MIN_OF_EACH = 30;
/** The threshold is chosen again after so many new or forgotten decisions, plus this share of all decisions. */
const MIN_NEW = 10;
const MIN_GROWTH = 0.1;

export const learner = setting(
  "learner",
  z.object({
    /** Id of the last event that was learnt. */
    cursor: z.int().default(0),
    /** Number of decisions when the threshold was last chosen. */
    learnt: z.int().default(0),
    threshold: z.number().nullable().default(null),
  }),
);

/** Number of decisions that the learner has learnt from. */
export async function learntReviews(): Promise<ReviewCount> {
  return (await readCounts([ALL], [])).get(ALL) ?? { reviewed: 0, rejected: 0 };
}

/** Secret that keys the feature ids. Read each time, because a restore may change it. */
export async function readFeatureKey(): Promise<string> {
  const { feature_secret } = await db.installation.findFirstOrThrow({ select: { feature_secret: true } });
  return Buffer.from(feature_secret).toString("hex");
}

/**
 * Reads new events, compares what was learnt from their posts with the present decisions and reasons, and learns the
 * difference. Idempotent.
 */
export async function learn(limits: { deadline: Date; signal?: AbortSignal | undefined }): Promise<void> {
  const key = await readFeatureKey();
  let after: number | null = (await learner.read()).cursor;
  while (after !== null && limits.signal?.aborted !== true && Date.now() < limits.deadline.getTime()) {
    const from: number = after;
    after = await inTransaction(async (tx) => {
      const { last, settled, ids } = await nextEvents(tx, from);
      await learnPosts(tx, ids, key);
      if (settled !== null) await learner.set({ cursor: settled }, tx);
      return last;
    });
  }
  await chooseThresholdWhenDue();
}

async function learnPosts(tx: Tx, ids: readonly number[], key: string): Promise<void> {
  const changed = (await unlearnChanged(tx, ids)).filter(({ decided }) => decided);
  const posts = changed.map(({ id }) => id);
  const texts = new Map((await postTexts(posts, tx)).map((post) => [post.id, post]));
  const rows = changed.map(({ id, teaches, rules }) => {
    const post = teaches ? texts.get(id) : undefined;
    const names = post === undefined ? [] : featureNames(post, readPost(post), rules);
    return { id, features: teaches ? [ALL, ...names.map((name) => featureId(name, key))] : [] };
  });
  await writeLearnt(tx, rows);
}

/** Chooses the threshold again after enough new decisions, and then has unreviewed posts checked again. */
async function chooseThresholdWhenDue(): Promise<void> {
  const { learnt } = await learner.read();
  const { reviewed, rejected } = await learntReviews();
  if (Math.abs(reviewed - learnt) < MIN_NEW + MIN_GROWTH * learnt) return;
  const isEnough = Math.min(rejected, reviewed - rejected) >= MIN_OF_EACH;
  await learner.set({ learnt: reviewed, threshold: isEnough ? await chooseThreshold() : null });
  await adviseAgain();
}

/** Counts of these features, authors and instances. Leaves out those that no reviewed post has. */
export async function readCounts(ids: readonly number[], names: readonly string[]): Promise<Counts> {
  const rows = await db.$queryRaw<{ key: number | string; reviewed: number; rejected: number }[]>`
    WITH wanted AS (
      SELECT feature, to_jsonb(feature) AS key
        FROM unnest(string_to_array(${ids.join(",")}, ',')::bigint[]) feature
      UNION ALL
      SELECT name_number(name), to_jsonb(name) FROM unnest(${[...new Set(names)]}::text[]) name
    )
    SELECT key, reviewed, rejected FROM wanted JOIN learnt_count USING (feature)`;
  return new Map(rows.map(({ key, ...count }) => [key, count]));
}

/**
 * Posts of the next events that may change what is learnt. `settled`: the last event older than three minutes. The cursor
 * stops there, because a running transaction may still commit a lower id. One that runs longer is missed.
 */
async function nextEvents(tx: Tx, after: number) {
  // Waits until nothing else changes the counts; also taken by unlearn().
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7107)`;
  const [row] = await tx.$queryRaw<{ last: number | null; settled: number | null; ids: number[] | null }[]>`
    SELECT max(id)::float8 AS last, (max(id) FILTER (WHERE at < now() - interval '3 minutes'))::float8 AS settled,
           array_agg(DISTINCT post_id) AS ids
      FROM (SELECT id, at, post_id FROM post_event
             WHERE id > ${after}::bigint AND (to_state IN ('unreviewed', 'rejected') OR action IN ('approve', 'note'))
             ORDER BY id LIMIT 1000) e`;
  return { last: row?.last ?? null, settled: row?.settled ?? null, ids: row?.ids ?? [] };
}

/**
 * Forgets the posts whose decision differs from the learnt one, and returns them. `decided`: a person or key has decided.
 * `teaches`: the post was not rejected for a reason that its text cannot show.
 */
async function unlearnChanged(tx: Tx, ids: readonly number[]) {
  const rows = await tx.$queryRaw<{ id: number; decided: boolean; teaches: boolean; rules: RawRule[] }[]>`
    SELECT p.id, d.decided, d.teaches, coalesce(c.rules, '[]') AS rules
      FROM post p LEFT JOIN post_check c ON c.post_id = p.id LEFT JOIN learnt l ON l.post_id = p.id
           LEFT JOIN reject_reason r ON r.id = p.reject_reason_id,
           LATERAL (SELECT p.approved IS NOT NULL AND (p.approved OR p.auto_reject_reason IS NULL) AND p.erased_at IS NULL
                             AS decided, (r.about IN ('text', 'both')) IS NOT FALSE AS teaches) d
     WHERE p.id = ANY (${[...ids]}::int[])
       AND CASE WHEN d.decided
                THEN (l.rejected, 0 = ANY (l.features), l.author)
                     IS DISTINCT FROM (NOT p.approved, d.teaches, name_number(p.author_key))
                ELSE l.post_id IS NOT NULL END
     ORDER BY p.id`;
  if (rows.length > 0) await tx.$executeRaw`SELECT unlearn(${rows.map(({ id }) => id)}::int[], false)`;
  return rows;
}

/** @param rows posts that are not learnt yet, with the ids of their features; without features nothing is learnt */
async function writeLearnt(tx: Tx, rows: readonly { id: number; features: number[] }[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO learnt (post_id, author, rejected, reviewed_at, score, warned, features)
    SELECT p.id, name_number(p.author_key), NOT p.approved, p.reviewed_at,
           CASE WHEN cardinality(v.features) > 0 THEN c.learner_score END,
           ARRAY(SELECT k ->> 'name' FROM jsonb_array_elements(p.ai_checks) k
                  WHERE (k ->> 'score')::real >= (k ->> 'threshold')::real),
           ARRAY[name_number(p.author_key), name_number(p.instance)] || v.features
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS v (id int, features bigint[])
      JOIN post p ON p.id = v.id LEFT JOIN post_check c ON c.post_id = p.id`;
  await tx.$executeRaw`
    INSERT INTO learnt_count AS c (feature, reviewed, rejected, authors)
    SELECT feature, count(*), count(*) FILTER (WHERE rejected),
           CASE WHEN feature > 0 THEN (array_agg(DISTINCT author))[:3] ELSE '{}' END
      FROM learnt, unnest(features) feature
     WHERE post_id = ANY (${rows.map((row) => row.id)}::int[]) GROUP BY feature ORDER BY feature
    ON CONFLICT (feature) DO UPDATE
      SET reviewed = c.reviewed + excluded.reviewed, rejected = c.rejected + excluded.rejected,
          authors = CASE WHEN cardinality(c.authors) > 2 THEN c.authors
                         ELSE ARRAY(SELECT DISTINCT unnest(c.authors || excluded.authors) LIMIT 3) END`;
}

/**
 * The lowest score from which rejections may be advised: among the newest 2,000 decisions, the lower bound (Wilson 1927,
 * one-sided 95 %) of the share of rejections among the posts whose score reached it before their decision is 0.85 or more, which
 * takes 16 rejections at least. Never below 0.5. Null when there is none.
 */
export async function chooseThreshold(): Promise<number | null> {
  const [row] = await db.$queryRaw<{ threshold: number | null }[]>`
    SELECT round(min(score)::numeric, 4)::float8 AS threshold
      FROM (SELECT score, (count(*) OVER best)::float8 AS n, (count(*) FILTER (WHERE rejected) OVER best)::float8 AS hits
              FROM (SELECT score, rejected FROM learnt WHERE score IS NOT NULL
                     ORDER BY reviewed_at DESC, post_id DESC LIMIT 2000) newest
            WINDOW best AS (ORDER BY score DESC)) t,
           LATERAL (SELECT hits / n AS share, 1.6449 ^ 2 / n AS z) s
     WHERE score >= 0.5 AND (share + z / 2 - sqrt(z * (share * (1 - share) + z / 4))) / (1 + z) >= 0.85`;
  return row?.threshold ?? null;
}

/** Keeps only the newest 20,000 decisions about deleted posts in the counts of authors. */
export async function pruneLearnt(): Promise<void> {
  await db.$executeRaw`
    SELECT unlearn(ARRAY(SELECT post_id FROM learnt l WHERE NOT EXISTS (SELECT FROM post p WHERE p.id = l.post_id)
                          ORDER BY reviewed_at DESC OFFSET 20000 LIMIT 10000), false)`;
}
