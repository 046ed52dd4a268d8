-- Bits: 1 no media, 2 a medium without alt text, 4 a bot.
CREATE OR REPLACE FUNCTION missing_requirements(p_media jsonb, p_is_bot boolean) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT (jsonb_array_length(p_media) = 0)::int
       + 2 * (EXISTS (SELECT FROM jsonb_array_elements(p_media) m WHERE coalesce(btrim(m ->> 'description'), '') = ''))::int
       + 4 * p_is_bot::int
$$;

-- The shared lock 7101 excludes changes of the block lists until the commit (blocks.sql).
CREATE OR REPLACE FUNCTION queue_enqueue(p_post_ids integer[], p_at timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7101);
  INSERT INTO queue_entry (post_id, approved_at, post_created_at, stream_id, author_key, tags, missing, holds)
  SELECT p.id, p_at, p.created_at, p.stream_id, p.author_key, t.tags, missing_requirements(p.media, p.author_is_bot),
         block_bits(p.author_key, t.tags)
         + 16 * (EXISTS (SELECT FROM reported_opt_out o WHERE o.author_key = p.author_key AND o.resolved_at IS NULL))::int
         + 32 * (NOT p.has_https_address)::int
    FROM post p, LATERAL (SELECT post_tags(p.hashtags_folded, p.stream_hashtag_folded) AS tags OFFSET 0) t
   WHERE p.id = ANY (p_post_ids)
  ON CONFLICT (post_id) DO NOTHING;
END $$;

-- For edited posts.
CREATE OR REPLACE FUNCTION queue_refresh_entries(p_post_ids integer[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7101);
  UPDATE queue_entry q
     SET missing = missing_requirements(p.media, p.author_is_bot), author_key = p.author_key, tags = t.tags,
         holds = (q.holds & ~(1 | 2 | 32)) | block_bits(p.author_key, t.tags)
                 | 32 * (NOT p.has_https_address)::int
    FROM post p, LATERAL (SELECT post_tags(p.hashtags_folded, p.stream_hashtag_folded) AS tags OFFSET 0) t
   WHERE p.id = q.post_id AND q.post_id = ANY (p_post_ids);
END $$;

-- Sets hold 8 on a new entry whose post differs from the copy on its own server.
CREATE OR REPLACE FUNCTION hold_differing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM post WHERE id = NEW.post_id AND differs_since IS NOT NULL) THEN
    NEW.holds := NEW.holds | 8;
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER queue_hold_differing BEFORE INSERT ON queue_entry FOR EACH ROW EXECUTE FUNCTION hold_differing();
