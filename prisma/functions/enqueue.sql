-- Columns of an entry that blocks, switches and topical rules compare. tags: folded hashtags of the post and its stream;
-- topics: those that a topical rule names, sorted; missing: 1 no media, 2 a medium without alt text, 4 a bot.
CREATE OR REPLACE FUNCTION entry_facts(p_hashtags text[], p_stream_hashtag text, p_media jsonb, p_is_bot boolean,
  OUT tags text[], OUT topics text, OUT missing integer) LANGUAGE sql STABLE AS $$
  SELECT ARRAY(SELECT DISTINCT tag FROM unnest(p_hashtags || p_stream_hashtag) tag WHERE tag IS NOT NULL),
         (SELECT coalesce(string_agg(DISTINCT hashtag_folded, '#' ORDER BY hashtag_folded), '') FROM topical_tag
           WHERE hashtag_folded = ANY (p_hashtags || p_stream_hashtag)),
         (jsonb_array_length(p_media) = 0)::int
       + 2 * (EXISTS (SELECT FROM jsonb_array_elements(p_media) m WHERE coalesce(btrim(m ->> 'description'), '') = ''))::int
       + 4 * p_is_bot::int
$$;

-- The server of a post, as source_check names it.
CREATE OR REPLACE FUNCTION uri_host(p_uri text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT lower(split_part(p_uri, '/', 3)) $$;

-- Confirmations at this time or before have expired. With p_confirm_hours 0 these are only the ones that a restore has set
-- (lib/runtime/backup): the server has not shown the post since.
CREATE OR REPLACE FUNCTION confirmed_since(p_confirm_hours integer) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_confirm_hours > 0 THEN now() - p_confirm_hours * interval '1 hour' ELSE '1969-12-31T00:00:00Z' END
$$;

-- Adds approved posts to the queue. p_at: time of the approval; null for the stored one of each. Takes a transaction id before
-- it reads the lists (lib/queue/hold-changes.ts). Asks for a source check of posts that were confirmed more than an hour ago.
-- Of more than 500 posts, lib/collect/plan-checks.ts chooses those that are needed soon.
CREATE OR REPLACE FUNCTION queue_enqueue(p_post_ids integer[], p_at timestamptz, p_confirm_hours integer DEFAULT 0)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_current_xact_id();
  INSERT INTO queue_entry (post_id, approved_at, post_created_at, stream_id, author_key, tags, topics, related, missing, confirmed_at, holds)
  SELECT p.id, coalesce(p_at, p.approved_at), p.created_at, p.stream_id, p.author_key, c.tags, c.topics, p.related, c.missing, c.confirmed_at,
         hold_bits(p.author_key, c.tags, p.related, c.missing)
         + CASE WHEN p.source_missing_at IS NOT NULL THEN 8 WHEN c.confirmed_at <= confirmed_since(p_confirm_hours) THEN 4 ELSE 0 END
         + 16 * (p.differs_since IS NOT NULL)::int + 64 * (NOT p.has_https_address)::int
    FROM post p, LATERAL (
           -- Missing confirmations were removed by a restore if the post's own server showed it, or if a copy was fetched before.
           SELECT f.*, coalesce(p.confirmed_at, CASE WHEN p.from_home OR p.fetched_at <= r.restored_at THEN confirmed_since(0) ELSE 'epoch' END) AS confirmed_at
             FROM entry_facts(p.hashtags_folded, p.stream_hashtag_folded, p.media, p.author_is_bot) f, installation r OFFSET 0) c
   WHERE p.id = ANY (p_post_ids)
  ON CONFLICT (post_id) DO NOTHING;
  INSERT INTO source_check AS c (post_id, host)
  SELECT id, uri_host(uri) FROM post
   WHERE p_confirm_hours > 0 AND cardinality(p_post_ids) <= 500 AND id = ANY (p_post_ids)
     AND (coalesce(confirmed_at, 'epoch') < now() - interval '1 hour' OR differs_since IS NOT NULL)
   ORDER BY id
  ON CONFLICT (post_id) DO UPDATE SET due_at = now() WHERE c.due_at > now();
END $$;
