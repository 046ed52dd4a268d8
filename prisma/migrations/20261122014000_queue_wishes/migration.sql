-- Callers of one moment who want a random or a topical post share a round trip too (see queue_together). What a draw,
-- the author rule and a pool are stands in functions of its own, which queue_pick and queue_reserve_many both ask.

-- Draws from a pool, each post with exactly the same chance in each of them, independent of each other. Up to 64
-- posts: is_all, and drawn is the pool itself, to draw from as one likes. More: p_count draws with replacement (fewer
-- when the windows kept missing). A window of fixed length is laid at a random place of the ring of keys; with c posts
-- in it, it counts with probability c/64, and one of the c is taken. A post lies in the window with probability
-- (length), is taken then with 1/c · c/64: the gaps between keys cancel out, which taking "the next key after a random
-- point" would not do. Windows are laid many at a time: most of a small read is its start.
-- (Generic plans: with the bounds of a window in its hands, PostgreSQL would plan each read anew, at four times its cost.)
CREATE FUNCTION queue_draws(
  p_mask integer, p_streams integer[], p_tags text[], p_count integer, OUT drawn integer[], OUT is_all boolean
) LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  allowed integer[] := ARRAY(SELECT l FROM generate_series(0, 7) l WHERE l & p_mask = 0);
  is_plain boolean := p_tags IS NULL AND cardinality(p_streams) = 0;
  last_key float8;
  width float8;
  laid integer;
  met integer;
  a_window record;
BEGIN
  SELECT array_agg(s.post_id), max(s.random_key) INTO drawn, last_key FROM queue_slice(p_mask, p_streams, p_tags, 0, 1) s;
  drawn := coalesce(drawn, '{}');
  is_all := cardinality(drawn) <= 64;
  IF is_all THEN RETURN; END IF;
  drawn := '{}';
  -- 65 posts within last_key of the ring: aim at 24 in a window, far below the 64 that must never be passed.
  width := least(last_key * 24 / 65, 0.5);
  FOR attempt IN 1..60 LOOP
    laid := ceil((p_count - cardinality(drawn)) * 2.7 - 1.7)::int;
    met := 0;
    FOR a_window IN
      SELECT w.n, array_agg(x.post_id) FILTER (WHERE x.post_id IS NOT NULL) AS ids
        FROM (SELECT n, random() AS start FROM generate_series(1, laid) n) w
        CROSS JOIN LATERAL (VALUES (w.start, least(w.start + width, 1)), (0, w.start + width - 1)) part (low, high)
        LEFT JOIN LATERAL (
          SELECT one.post_id FROM unnest(allowed) l (lacks), LATERAL (
            SELECT q.post_id FROM queue_entry q
             WHERE q.state = 'pending' AND q.holds = 0 AND q.not_before IS NULL AND q.lacks = l.lacks
               AND q.random_key >= part.low AND q.random_key < part.high
             ORDER BY q.random_key LIMIT 65) one
           WHERE is_plain
          UNION ALL
          SELECT s.post_id FROM queue_slice(p_mask, p_streams, p_tags, part.low, part.high) s WHERE NOT is_plain
        ) x ON true
       WHERE part.high > part.low
       GROUP BY w.n ORDER BY w.n
    LOOP
      IF cardinality(a_window.ids) > 64 THEN
        width := width / 2;
        met := NULL;
        EXIT;
      END IF;
      met := met + coalesce(cardinality(a_window.ids), 0);
      IF random() < cardinality(a_window.ids) / 64.0 THEN
        drawn := drawn || a_window.ids[1 + floor(random() * cardinality(a_window.ids))::int];
        IF cardinality(drawn) >= p_count THEN RETURN; END IF;
      END IF;
    END LOOP;
    -- Keys bunched up at the first look: the window was measured too small.
    IF met < 4 * laid AND (laid >= 8 OR attempt % 8 = 0) THEN width := least(width * 2, 0.5); END IF;
  END LOOP;
  IF drawn = '{}' THEN
    drawn := ARRAY(SELECT post_id FROM queue_slice(p_mask, p_streams, p_tags, 0, 1) ORDER BY random() LIMIT 1);
  END IF;
END $$;

-- One draw, or null when the pool is empty.
CREATE OR REPLACE FUNCTION queue_draw(p_mask integer, p_streams integer[], p_tags text[]) RETURNS integer LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN is_all THEN drawn[1 + floor(random() * cardinality(drawn))::int] ELSE drawn[1] END
    FROM queue_draws(p_mask, p_streams, p_tags, 1)
$$;

-- The author rule of the random draw: locks the oldest eligible post of a drawn post's author, p_taken left out. Null
-- when all of them are in others' hands.
CREATE FUNCTION queue_oldest_of_author(
  p_drawn integer, p_mask integer, p_streams integer[], p_tags text[], p_taken integer[]
) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  found_id integer;
BEGIN
  SELECT post_id INTO found_id FROM queue_entry
   WHERE state = 'pending' AND holds = 0 AND not_before IS NULL
     AND author_key = (SELECT author_key FROM queue_entry WHERE post_id = p_drawn)
     AND lacks & p_mask = 0
     AND (cardinality(p_streams) = 0 OR stream_id = ANY (p_streams))
     AND (p_tags IS NULL OR tags && p_tags)
     AND post_id <> ALL (p_taken)
   ORDER BY approved_at, post_id LIMIT 1 FOR UPDATE SKIP LOCKED;
  RETURN found_id;
END $$;

-- Locks up to p_wanted posts of a pool, one random draw after the other, as if each were taken before the next is
-- drawn: a draw of what is already taken (p_taken, or picked here) does not count. is_dry: there is nothing else in
-- the pool. Of a large pool, gives up after eight draws that led to nothing but what is in others' hands.
CREATE FUNCTION queue_pick_random(
  p_mask integer, p_streams integer[], p_tags text[], p_wanted integer, p_taken integer[],
  OUT picked integer[], OUT is_dry boolean
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  drawn integer[];
  is_all boolean;
  candidate integer;
  found_id integer;
  missed integer := 0;
BEGIN
  picked := '{}';
  is_dry := false;
  FOR attempt IN 1..8 LOOP
    SELECT d.drawn, d.is_all INTO drawn, is_all
      FROM queue_draws(p_mask, p_streams, p_tags, p_wanted - cardinality(picked)) d;
    IF is_all THEN drawn := ARRAY(SELECT unnest(drawn) EXCEPT SELECT unnest(p_taken || picked)); END IF;
    WHILE cardinality(drawn) > 0 LOOP
      candidate := drawn[CASE WHEN is_all THEN 1 + floor(random() * cardinality(drawn))::int ELSE 1 END];
      IF NOT is_all THEN drawn := drawn[2:]; END IF;
      CONTINUE WHEN candidate = ANY (p_taken || picked);
      found_id := queue_oldest_of_author(candidate, p_mask, p_streams, p_tags, p_taken || picked);
      IF found_id IS NULL THEN
        missed := missed + 1;
        IF is_all THEN drawn := array_remove(drawn, candidate);
        ELSIF missed >= 8 THEN RETURN;
        END IF;
      ELSE
        picked := picked || found_id;
        IF is_all THEN drawn := array_remove(drawn, found_id); END IF;
        IF cardinality(picked) >= p_wanted THEN RETURN; END IF;
      END IF;
    END LOOP;
    IF is_all THEN
      is_dry := missed = 0;
      RETURN;
    END IF;
  END LOOP;
END $$;

-- Locks up to p_wanted of the oldest posts of a pool for callers whose keys are not bound to streams; the rest as above.
CREATE FUNCTION queue_pick_oldest(
  p_mask integer, p_tags text[], p_wanted integer, p_taken integer[], OUT picked integer[], OUT is_dry boolean
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  candidates integer[];
  -- A few more than wanted: some will be in the hands of another call of the same moment.
  width integer := p_wanted + cardinality(p_taken) + 32;
BEGIN
  IF p_mask = 0 AND p_tags IS NULL THEN
    SELECT array_agg(x.post_id ORDER BY x.approved_at, x.post_id) INTO picked
      FROM (SELECT post_id, approved_at FROM queue_entry
             WHERE state = 'pending' AND holds = 0 AND not_before IS NULL AND post_id <> ALL (p_taken)
             ORDER BY approved_at, post_id LIMIT p_wanted FOR UPDATE SKIP LOCKED) x;
    picked := coalesce(picked, '{}');
    is_dry := cardinality(picked) < p_wanted;
    RETURN;
  END IF;
  candidates := ARRAY(SELECT queue_oldest_of(p_mask, '{}', p_tags, width) LIMIT width);
  is_dry := cardinality(candidates) < width;
  candidates := ARRAY(SELECT unnest(candidates) EXCEPT SELECT unnest(p_taken));
  SELECT array_agg(x.post_id ORDER BY x.approved_at, x.post_id) INTO picked
    FROM (SELECT post_id, approved_at FROM queue_entry
           WHERE post_id = ANY (candidates)
             AND state = 'pending' AND holds = 0 AND not_before IS NULL AND lacks & p_mask = 0
           ORDER BY approved_at, post_id LIMIT p_wanted FOR UPDATE SKIP LOCKED) x;
  picked := coalesce(picked, '{}');
  is_dry := is_dry AND cardinality(picked) = cardinality(candidates);
END $$;

-- As before, with the draw and the author rule from above.
CREATE OR REPLACE FUNCTION queue_pick(p_random boolean, p_mask integer, p_streams integer[], p_tags text[])
RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  candidate integer;
  found_id integer;
  width integer;
BEGIN
  IF p_random THEN
    SELECT picked[1] INTO found_id FROM queue_pick_random(p_mask, p_streams, p_tags, 1, '{}');
    IF found_id IS NOT NULL THEN RETURN found_id; END IF;
    -- Others are at work on everything drawn: fall through to the oldest that is free.
  END IF;
  IF p_mask = 0 AND cardinality(p_streams) = 0 AND p_tags IS NULL THEN
    SELECT post_id INTO found_id FROM queue_entry
     WHERE state = 'pending' AND holds = 0 AND not_before IS NULL
     ORDER BY approved_at, post_id LIMIT 1 FOR UPDATE SKIP LOCKED;
    RETURN found_id;
  END IF;
  -- Narrow first; wide only when every candidate was in another's hands.
  FOREACH width IN ARRAY ARRAY[8, 256] LOOP
    FOR candidate IN SELECT * FROM queue_oldest_of(p_mask, p_streams, p_tags, width) LOOP
      SELECT post_id INTO found_id FROM queue_entry
       WHERE post_id = candidate AND state = 'pending' AND holds = 0 AND not_before IS NULL AND lacks & p_mask = 0
         FOR UPDATE SKIP LOCKED;
      IF found_id IS NOT NULL THEN RETURN found_id; END IF;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;

-- Hashtags of the topical rules of today, or null when there are none.
CREATE FUNCTION queue_tags_of_today(p_time_zone text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(hashtag_folded) FROM topical_tag
   WHERE day_of_week = extract(dow FROM now() AT TIME ZONE p_time_zone)
      OR month_day = to_char(now() AT TIME ZONE p_time_zone, 'MM-DD')
$$;

-- GET /curated/next as before, with the topical rules of the day from above. outcome: ok, empty, invalid_key, forbidden.
CREATE OR REPLACE FUNCTION queue_reserve(
  p_key_hash bytea, p_member_id integer, p_label text, p_random boolean, p_include_topical boolean,
  p_topical_only boolean, p_time_zone text, p_timeout_seconds integer, p_backoff boolean
) RETURNS queue_item LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off AS $$
DECLARE
  caller queue_caller;
  item queue_item;
  mask integer;
  tags text[];
  chosen integer;
BEGIN
  caller := queue_identify(p_key_hash, p_member_id, p_label, 'consume');
  item.outcome := caller.verdict;
  IF caller.verdict <> 'ok' THEN RETURN item; END IF;
  item.key_id := caller.key_id;
  item.stale_use := caller.stale_use;
  item.is_topical := false;

  PERFORM queue_sweep(p_backoff);
  SELECT require_media::int + 2 * require_alt_text::int + 4 * auto_reject_bots::int INTO mask FROM export_setting WHERE id = 1;

  IF p_include_topical THEN
    tags := queue_tags_of_today(p_time_zone);
    IF tags IS NOT NULL THEN
      chosen := queue_pick(p_random, mask, caller.stream_ids, tags);
      item.is_topical := chosen IS NOT NULL;
    END IF;
  END IF;
  IF chosen IS NULL AND NOT (p_include_topical AND p_topical_only) THEN
    chosen := queue_pick(p_random, mask, caller.stream_ids, NULL);
  END IF;
  IF chosen IS NULL THEN
    item.outcome := 'empty';
    RETURN item;
  END IF;

  UPDATE queue_entry q
     SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = caller.key_id,
         lease_member_id = caller.member_id, lease_label = caller.label, reserved_at = now(),
         lease_expires_at = now() + p_timeout_seconds * interval '1 second', deliveries = q.deliveries + 1
   WHERE q.post_id = chosen
  RETURNING q.post_id, q.approved_at, q.lease_id, q.lease_expires_at, q.deliveries
       INTO item.post_id, item.approved_at, item.lease_id, item.lease_expires_at, item.deliveries;
  INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state)
  VALUES (chosen, caller.label, caller.member_id, caller.key_id, caller.source, 'reserve', 'pending', 'reserved');
  SELECT p.uri, p.url, p.author_account, p.snippet, p.hashtags, p.stream_hashtag, p.media_count > 0, p.created_at
    INTO item.uri, item.url, item.author_account, item.snippet, item.hashtags, item.stream_hashtag,
         item.has_attachments, item.post_created_at
    FROM post p WHERE p.id = chosen;
  RETURN item;
END $$;

-- Posts for callers of one wish, one each, the first pick to the first. One row for each key, in order. outcome: ok,
-- empty, invalid_key, forbidden, or alone (a key bound to streams; a pool of which others hold the rest, where the
-- single call looks further).
CREATE FUNCTION queue_reserve_many(
  p_keys text[], p_random boolean, p_include_topical boolean, p_topical_only boolean, p_time_zone text,
  p_timeout_seconds integer, p_backoff boolean
) RETURNS SETOF queue_item LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  callers queue_caller[] := queue_identify_many(p_keys, 'consume');
  places integer[];
  mask integer;
  wanted integer;
  tags text[];
  topical integer[] := '{}';
  others integer[] := '{}';
  is_dry boolean := true;
BEGIN
  SELECT array_agg(place ORDER BY place) INTO places
    FROM generate_subscripts(callers, 1) place
   WHERE (callers[place]).verdict = 'ok' AND cardinality((callers[place]).stream_ids) = 0;
  wanted := coalesce(cardinality(places), 0);

  IF wanted > 0 THEN
    PERFORM queue_sweep(p_backoff);
    SELECT require_media::int + 2 * require_alt_text::int + 4 * auto_reject_bots::int INTO mask FROM export_setting WHERE id = 1;
    IF p_include_topical THEN tags := queue_tags_of_today(p_time_zone); END IF;
    IF tags IS NOT NULL THEN
      IF p_random THEN
        SELECT r.picked, r.is_dry INTO topical, is_dry FROM queue_pick_random(mask, '{}', tags, wanted, '{}') r;
      ELSE
        SELECT o.picked, o.is_dry INTO topical, is_dry FROM queue_pick_oldest(mask, tags, wanted, '{}') o;
      END IF;
    END IF;
    wanted := wanted - cardinality(topical);
    -- Only who has seen all of the topical posts go may take another.
    IF wanted > 0 AND is_dry AND NOT (p_include_topical AND p_topical_only) THEN
      IF p_random THEN
        SELECT r.picked, r.is_dry INTO others, is_dry FROM queue_pick_random(mask, '{}', NULL, wanted, topical) r;
      ELSE
        SELECT o.picked, o.is_dry INTO others, is_dry FROM queue_pick_oldest(mask, NULL, wanted, topical) o;
      END IF;
    END IF;
  END IF;

  RETURN QUERY
  WITH served AS MATERIALIZED (
    SELECT s.post_id, s.place, s.nth <= cardinality(topical) AS is_topical, (callers[s.place]).*
      FROM unnest(topical || others, places) WITH ORDINALITY s (post_id, place, nth) WHERE s.post_id IS NOT NULL
  ), taken AS (
    UPDATE queue_entry q
       SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = s.key_id, lease_member_id = s.member_id,
           lease_label = s.label, reserved_at = now(),
           lease_expires_at = now() + p_timeout_seconds * interval '1 second', deliveries = q.deliveries + 1
      FROM served s WHERE q.post_id = s.post_id
    RETURNING s.place, s.is_topical, q.post_id, q.approved_at, q.lease_id, q.lease_expires_at, q.deliveries
  ), logged AS (
    INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state)
    SELECT post_id, label, member_id, key_id, source, 'reserve', 'pending', 'reserved' FROM served ORDER BY place
  )
  SELECT CASE WHEN t.place IS NOT NULL THEN 'ok'
              WHEN (callers[p]).verdict <> 'ok' THEN (callers[p]).verdict
              WHEN is_dry AND cardinality((callers[p]).stream_ids) = 0 THEN 'empty'
              ELSE 'alone' END,
         (callers[p]).key_id, (callers[p]).stale_use,
         t.post_id, o.uri, o.url, o.author_account, o.snippet, o.hashtags, o.stream_hashtag, o.media_count > 0, o.created_at,
         t.approved_at, coalesce(t.is_topical, false), t.lease_id, t.lease_expires_at, t.deliveries
    FROM generate_subscripts(callers, 1) p LEFT JOIN taken t ON t.place = p LEFT JOIN post o ON o.id = t.post_id
   ORDER BY p;
END $$;
ALTER FUNCTION queue_reserve_many(text[], boolean, boolean, boolean, text, integer, boolean)
  SET enable_seqscan = off SET jit = off;

-- An instance that runs while this migration is applied asks so until it is replaced.
CREATE OR REPLACE FUNCTION queue_reserve_many(p_keys text[], p_timeout_seconds integer, p_backoff boolean)
RETURNS SETOF queue_item LANGUAGE sql VOLATILE AS $$
  SELECT * FROM queue_reserve_many(p_keys, false, false, false, 'UTC', p_timeout_seconds, p_backoff)
$$;
