import { query } from "./database.ts";

/**
 * Writes decisions into the log of the checks, of which the rules and the learner predicted some, and a few hits of
 * the moderation service that reviewers overruled.
 */
export async function addDecisionLog(databaseUrl: string, decisions: number): Promise<void> {
  await query(databaseUrl, "SELECT setseed(0.5)");
  await query(
    databaseUrl,
    `WITH draw AS (
       SELECT i, random() < 0.3 AS rejected, random() AS a, random() AS b, random() AS c, random() AS d
         FROM generate_series(1, $1) i),
     score AS (
       SELECT *, round((CASE WHEN rejected THEN 0.35 ELSE 0 END + a * 0.6)::numeric, 4) AS rules,
              round((CASE WHEN rejected THEN 1 - b ^ 2 * 0.9 ELSE c ^ 3 * 0.8 END)::numeric, 4) AS learner,
              round(d::numeric, 4) AS picture
         FROM draw)
     INSERT INTO check_example (post_id, author_hmac, rejected, reviewed_at, by_key, visible, checks)
     SELECT 1000000 + i, decode(md5(i::text), 'hex'), rejected, now() - ($1 - i) * interval '1 minute', i % 17 = 0,
            i % 17 = 0 OR i % 10 > 0,
            jsonb_build_array(
              jsonb_build_object('name', 'rules', 'version', '1', 'score', rules, 'threshold', 0.7,
                                 'would_reject', rules >= 0.7, 'votes', true),
              jsonb_build_object('name', 'learner', 'version', (i / 10)::text, 'score', learner, 'threshold', 0.62,
                                 'would_reject', learner >= 0.62, 'votes', true))
            || CASE WHEN i % 20 = 0 THEN jsonb_build_array(
                 jsonb_build_object('name', 'picture_explicit', 'version', 'mobilenet_v2_mid@4.3.0', 'score', picture,
                                    'threshold', 0.6, 'would_reject', picture >= 0.6, 'votes', true))
               ELSE '[]' END
       FROM score`,
    [decisions],
  );
}
