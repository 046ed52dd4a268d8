-- Facts of a post that the queue compares: 1 no media, 2 a medium without description, 4 a bot.
CREATE FUNCTION queue_lacks(p_media jsonb, p_is_bot boolean) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT (jsonb_array_length(p_media) = 0)::int
       + 2 * (EXISTS (SELECT FROM jsonb_array_elements(p_media) m WHERE coalesce(btrim(m ->> 'description'), '') = ''))::int
       + 4 * p_is_bot::int
$$;

-- Puts approved posts into the queue as of p_at, with their facts and holds. The shared lock closes the gap
-- between reading the block lists and writing the rows (7101, see queue_triggers).
CREATE FUNCTION queue_enqueue(p_post_ids integer[], p_at timestamptz) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7101);
  INSERT INTO queue_entry (post_id, approved_at, post_created_at, stream_id, author_key, tags, lacks, holds)
  SELECT p.id, p_at, p.created_at, p.stream_id, p.author_key, t.tags, queue_lacks(p.media, p.author_is_bot),
         block_bits(p.author_key, t.tags)
         + 16 * (EXISTS (SELECT FROM reported_opt_out o WHERE o.author_key = p.author_key AND o.resolved_at IS NULL))::int
         + 32 * (NOT p.has_https_address)::int
    FROM post p,
         LATERAL (SELECT array_agg(DISTINCT tag) FILTER (WHERE tag IS NOT NULL) AS tags
                    FROM unnest(p.hashtags_folded || (SELECT s.hashtag_folded FROM stream s WHERE s.id = p.stream_id)) tag) t0,
         LATERAL (SELECT coalesce(t0.tags, '{}') AS tags) t
   WHERE p.id = ANY (p_post_ids)
  ON CONFLICT (post_id) DO NOTHING;
END $$;

-- A post changed (edit, counters of media, bot flag): its entry's facts follow.
CREATE FUNCTION queue_refresh_facts(p_post_ids integer[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7101);
  UPDATE queue_entry q
     SET lacks = queue_lacks(p.media, p.author_is_bot), author_key = p.author_key, tags = t.tags,
         holds = (q.holds & ~(1 | 2 | 32)) | block_bits(p.author_key, t.tags)
                 | 32 * (NOT p.has_https_address)::int
    FROM post p,
         LATERAL (SELECT coalesce(array_agg(DISTINCT tag) FILTER (WHERE tag IS NOT NULL), '{}') AS tags
                    FROM unnest(p.hashtags_folded || (SELECT s.hashtag_folded FROM stream s WHERE s.id = p.stream_id)) tag) t
   WHERE p.id = q.post_id AND q.post_id = ANY (p_post_ids);
END $$;
