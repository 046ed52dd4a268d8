-- ai_result=unsure is answered from these indexes alone.
DROP INDEX post_created_idx, post_author_idx, post_unreviewed_idx, post_unreviewed_author_idx;
CREATE INDEX post_created_idx ON post (created_at DESC, id DESC)
  INCLUDE (approved, stream_id, media_count, language, ai_would_reject, vision_category, ai_score);
CREATE INDEX post_author_idx ON post (author_key, created_at DESC, id DESC)
  INCLUDE (approved, stream_id, media_count, language, ai_would_reject, vision_category, ai_score);
CREATE INDEX post_unreviewed_idx ON post (created_at DESC, id DESC)
  INCLUDE (stream_id, media_count, language, ai_would_reject, vision_category, ai_score) WHERE approved IS NULL;
CREATE INDEX post_unreviewed_author_idx ON post (author_key, created_at DESC, id DESC)
  INCLUDE (stream_id, media_count, language, ai_would_reject, vision_category, ai_score) WHERE approved IS NULL;

-- "AI unsure first" for members: posts of the blind tenth stand at places that do not depend on their score
-- (lib/posts/hidden-advice.ts has the same expressions).
CREATE INDEX post_unreviewed_blind_idx ON post (
    (CASE WHEN ((id::bigint * 2654435761) % 4294967296) * 10 / 4294967296 = 0
          THEN ((id::bigint * 2654435761) % 4294967296)::float8 / 858993459.2
          ELSE coalesce(abs(ai_score - 0.5), 1) END),
    created_at DESC, id DESC)
  INCLUDE (ai_score, stream_id, media_count, language, ai_would_reject, vision_category) WHERE approved IS NULL;

-- The advice as a whole at the decision; null when nothing was checked.
ALTER TABLE check_example ADD COLUMN would_reject boolean GENERATED ALWAYS AS (
  CASE WHEN checks <> '[]' THEN jsonb_path_exists(checks, '$[*] ? (@.votes == true && @.would_reject == true)') END
) STORED;
-- ai_result=overruled
CREATE INDEX check_example_overruled_idx ON check_example (post_id) WHERE rejected <> would_reject;
