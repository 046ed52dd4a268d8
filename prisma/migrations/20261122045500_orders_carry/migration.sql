-- The orders by author and by how unsure the AI is carry what post_created_idx carries, so that a search in these
-- orders passes over posts that a filter leaves out without reading them (lib/posts/search-walk-sql.ts), and the deck
-- as well. ai_score stands there once more because an index that has only an expression of a column cannot answer
-- alone. What is included is written with every change of a post anyway: post_created_idx has it.
DROP INDEX post_unsure_idx;
CREATE INDEX post_unsure_idx ON post ((coalesce(abs(ai_score - 0.5), 1)), created_at DESC, id DESC)
  INCLUDE (ai_score, approved, stream_id, media_count, language, ai_would_reject, vision_category);
DROP INDEX post_author_idx;
CREATE INDEX post_author_idx ON post (author_key, created_at DESC, id DESC)
  INCLUDE (approved, stream_id, media_count, language, ai_would_reject, vision_category);
DROP INDEX post_unreviewed_unsure_idx;
CREATE INDEX post_unreviewed_unsure_idx ON post ((coalesce(abs(ai_score - 0.5), 1)), created_at DESC, id DESC)
  INCLUDE (ai_score, stream_id, media_count, language, ai_would_reject, vision_category) WHERE approved IS NULL;
DROP INDEX post_unreviewed_author_idx;
CREATE INDEX post_unreviewed_author_idx ON post (author_key, created_at DESC, id DESC)
  INCLUDE (stream_id, media_count, language, ai_would_reject, vision_category) WHERE approved IS NULL;
DROP INDEX post_unreviewed_idx;
CREATE INDEX post_unreviewed_idx ON post (created_at DESC, id DESC)
  INCLUDE (stream_id, media_count, language, ai_would_reject, vision_category) WHERE approved IS NULL;
