-- A post is matched by the hashtag it came by, which it keeps when its stream is renamed or deleted, as the shown
-- `stream` does. Before, whatever looked at a post anew (an approval, an edit, a filter) asked the stream for its
-- hashtag of that moment, so posts about cats were matched as dogs, and those of a deleted stream as nothing.
ALTER TABLE post ADD COLUMN stream_hashtag_folded text;
-- No counter looks at the new column.
ALTER TABLE post DISABLE TRIGGER USER;
UPDATE post p
   SET stream_hashtag_folded = coalesce((SELECT s.hashtag_folded FROM stream s WHERE s.id = p.stream_id),
                                        lower(normalize(p.stream_hashtag, NFKC)))
 WHERE p.stream_hashtag IS NOT NULL OR p.stream_id IS NOT NULL;
ALTER TABLE post ENABLE TRIGGER USER;

-- Unreviewed posts of a blocked hashtag's stream (reject-blocked).
CREATE INDEX post_unreviewed_stream_tag_idx ON post (stream_hashtag_folded) WHERE approved IS NULL;

-- What block lists and topical rules compare: the post's own hashtags and the one it came by.
CREATE FUNCTION post_tags(p_hashtags text[], p_stream_hashtag text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT tag) FILTER (WHERE tag IS NOT NULL), '{}')
    FROM unnest(p_hashtags || p_stream_hashtag) tag
$$;

CREATE OR REPLACE FUNCTION queue_enqueue(p_post_ids integer[], p_at timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7101);
  INSERT INTO queue_entry (post_id, approved_at, post_created_at, stream_id, author_key, tags, lacks, holds)
  SELECT p.id, p_at, p.created_at, p.stream_id, p.author_key, t.tags, queue_lacks(p.media, p.author_is_bot),
         block_bits(p.author_key, t.tags)
         + 16 * (EXISTS (SELECT FROM reported_opt_out o WHERE o.author_key = p.author_key AND o.resolved_at IS NULL))::int
         + 32 * (NOT p.has_https_address)::int
    FROM post p, LATERAL (SELECT post_tags(p.hashtags_folded, p.stream_hashtag_folded) AS tags OFFSET 0) t
   WHERE p.id = ANY (p_post_ids)
  ON CONFLICT (post_id) DO NOTHING;
END $$;

CREATE OR REPLACE FUNCTION queue_refresh_facts(p_post_ids integer[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7101);
  UPDATE queue_entry q
     SET lacks = queue_lacks(p.media, p.author_is_bot), author_key = p.author_key, tags = t.tags,
         holds = (q.holds & ~(1 | 2 | 32)) | block_bits(p.author_key, t.tags)
                 | 32 * (NOT p.has_https_address)::int
    FROM post p, LATERAL (SELECT post_tags(p.hashtags_folded, p.stream_hashtag_folded) AS tags OFFSET 0) t
   WHERE p.id = q.post_id AND q.post_id = ANY (p_post_ids);
END $$;
