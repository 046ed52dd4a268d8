import { z } from "zod";
import { db } from "#lib/base/db.ts";
import { LearnerReason, RawRule } from "#lib/checks/results/raw-checks.ts";

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
  instance: string;
  stream_hashtag: string | null;
  media_types: string[];
  has_alt_text: boolean;
  sensitive: boolean;
  author_is_bot: boolean;
  in_reply_to: string | null;
  version: string;
}

/** `version` changes with the text; verdicts are written only to the same version. */
export async function postTextRows(ids: number[]): Promise<PostTextRow[]> {
  return db.$queryRaw<PostTextRow[]>`
    SELECT id, plain_text, content, spoiler_text, hashtags, media_count, language, author_key, author_created_at,
           created_at, stream_id, instance, stream_hashtag, sensitive, author_is_bot, in_reply_to,
           ARRAY(SELECT coalesce(m ->> 'type', '') FROM jsonb_array_elements(media) m) AS media_types,
           media @? '$[*].description ? (@ != "" && @ != null)' AS has_alt_text, md5(plain_text) AS version
      FROM post WHERE id = ANY (${ids}::int[]) AND erased_at IS NULL`;
}

export interface Prediction {
  learner_version: number;
  learner_score: number;
  learner_reasons: LearnerReason[];
}

const PredictedRow = z.object({
  id: z.int(),
  author_key: z.string(),
  instance: z.string(),
  features: z.array(z.int()),
  rules: z.array(RawRule),
  learner_score: z.number().nullable(),
  learner_reasons: z.array(LearnerReason),
});
export type PredictedRow = z.infer<typeof PredictedRow>;

/** Reviewed posts keep the prediction of their decision. */
export async function predictedRows(ids: readonly number[]): Promise<PredictedRow[]> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT c.post_id AS id, p.author_key, p.instance, c.features, c.rules, c.learner_score, c.learner_reasons
      FROM post_check c JOIN post p ON p.id = c.post_id AND p.approved IS NULL
     WHERE c.post_id = ANY (${ids}::int[]) AND c.features <> '{}' ORDER BY c.post_id`;
  return PredictedRow.array().parse(rows);
}

export interface PredictionRow extends Prediction {
  id: number;
  features: readonly number[];
}

/** Posts whose text was checked meanwhile keep their prediction. */
export async function writePredictions(rows: readonly PredictionRow[]): Promise<void> {
  const values = JSON.stringify(rows);
  await db.$executeRaw`
    WITH v AS (
      SELECT v.* FROM jsonb_to_recordset(${values}::jsonb) AS v (
             id int, features int[], learner_version int, learner_score real, learner_reasons jsonb)
        JOIN post_check c ON c.post_id = v.id AND c.features = v.features ORDER BY v.id FOR NO KEY UPDATE OF c
    )
    UPDATE post_check c
       SET learner_version = v.learner_version, learner_score = v.learner_score, learner_reasons = v.learner_reasons
      FROM v WHERE c.post_id = v.id AND (c.learner_version IS NULL OR c.learner_version <= v.learner_version)`;
}
