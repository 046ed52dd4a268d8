-- GET /curated/next. Parameters of a pool: see random-choice.sql.

-- Null for up to three refusals in a row, then 1 s, 2 s, 4 s … up to one hour.
CREATE OR REPLACE FUNCTION backoff_delay(p_refusals integer) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_refusals >= 4 THEN least(3600, power(2, least(p_refusals - 4, 20))) * interval '1 second' END
$$;

-- Holds eligible entries that were confirmed at p_since or before, in order of that time. Returns their number.
CREATE OR REPLACE FUNCTION queue_expire(p_since timestamptz, p_limit integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off AS $$
DECLARE
  n integer;
BEGIN
  UPDATE queue_entry SET holds = holds | 4
   WHERE post_id IN (SELECT post_id FROM queue_entry
                      WHERE state = 'pending' AND holds = 0 AND not_before IS NULL AND confirmed_at <= p_since
                      ORDER BY confirmed_at LIMIT p_limit FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

-- At most 500 of each in one call, so that the longest call stays short; of expired confirmations 2 000. False: more
-- of these are left, which happens only after CONFIRM_WITHIN_HOURS was changed. The caller then reserves nothing,
-- because a choice might have to skip a million entries.
CREATE OR REPLACE FUNCTION queue_sweep(p_backoff boolean, p_since timestamptz DEFAULT '-infinity') RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  expired integer := 0;
BEGIN
  IF EXISTS (SELECT FROM queue_entry WHERE not_before <= now()) THEN
    UPDATE queue_entry SET not_before = NULL
     WHERE post_id IN (SELECT post_id FROM queue_entry WHERE not_before <= now()
                       ORDER BY not_before LIMIT 500 FOR UPDATE SKIP LOCKED);
  END IF;
  IF EXISTS (SELECT FROM queue_entry WHERE lease_expires_at < now()) THEN
    WITH expired AS (
      SELECT post_id, lease_label, lease_key_id, lease_member_id FROM queue_entry
       WHERE lease_expires_at < now()
       ORDER BY lease_expires_at LIMIT 500 FOR UPDATE SKIP LOCKED
    ), swept AS (
      UPDATE queue_entry q
         SET state = 'pending', last_lease_id = q.lease_id, last_lease_key_id = q.lease_key_id,
             last_lease_member_id = q.lease_member_id,
             lease_id = NULL, lease_key_id = NULL, lease_member_id = NULL, lease_label = NULL,
             reserved_at = NULL, lease_expires_at = NULL, timeouts = q.timeouts + 1, refusals = q.refusals + 1,
             not_before = CASE WHEN p_backoff THEN now() + backoff_delay(q.refusals + 1) END
        FROM expired e WHERE q.post_id = e.post_id
      RETURNING q.post_id, e.lease_label, e.lease_key_id
    )
    INSERT INTO post_event (post_id, actor, api_key_id, source, action, from_state, to_state, note)
    SELECT post_id, 'Sluice', lease_key_id, 'service', 'time_out', 'reserved', 'pending', lease_label FROM swept;
  END IF;
  WHILE expired < 2000 AND EXISTS (
    SELECT FROM queue_entry WHERE state = 'pending' AND holds = 0 AND not_before IS NULL AND confirmed_at <= p_since) LOOP
    DECLARE
      n integer := queue_expire(p_since, 500);
    BEGIN
      -- The rest is locked by other calls.
      IF n < 500 THEN RETURN true; END IF;
      expired := expired + n;
    END;
  END LOOP;
  RETURN expired < 2000;
END $$;

-- The oldest posts of a pool that no single index holds in order: p_width rows for each combination of tag, stream
-- and missing requirements. BETWEEN, not =: the order then needs the index with missing. Where most posts have the same
-- value, the planner otherwise takes the index without it and reads the whole queue for a value that no post has.
CREATE OR REPLACE FUNCTION queue_oldest_candidates(p_mask integer, p_streams integer[], p_tags text[], p_width integer)
RETURNS SETOF integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_tags IS NOT NULL AND cardinality(p_streams) > 0 THEN
    RETURN QUERY
      SELECT x.post_id FROM unnest(p_tags) tag, unnest(p_streams) stream, generate_series(0, 7) l,
        LATERAL (SELECT t.post_id, t.approved_at FROM queue_topic t
                  WHERE t.tag = tag.tag AND t.stream_id = stream.stream AND t.missing = l AND t.ready
                  ORDER BY t.approved_at, t.post_id LIMIT p_width) x
       WHERE l & p_mask = 0 GROUP BY x.post_id, x.approved_at ORDER BY x.approved_at, x.post_id;
  ELSIF p_tags IS NOT NULL THEN
    RETURN QUERY
      SELECT x.post_id FROM unnest(p_tags) tag, generate_series(0, 7) l,
        LATERAL (SELECT t.post_id, t.approved_at FROM queue_topic t
                  WHERE t.tag = tag.tag AND t.missing = l AND t.ready
                  ORDER BY t.approved_at, t.post_id LIMIT p_width) x
       WHERE l & p_mask = 0 GROUP BY x.post_id, x.approved_at ORDER BY x.approved_at, x.post_id;
  ELSIF cardinality(p_streams) > 0 THEN
    RETURN QUERY
      SELECT x.post_id FROM unnest(p_streams) stream, generate_series(0, 7) l,
        LATERAL (SELECT q.post_id, q.approved_at FROM queue_entry q
                  WHERE q.state = 'pending' AND q.holds = 0 AND q.not_before IS NULL
                    AND q.stream_id = stream.stream AND q.missing BETWEEN l AND l
                  ORDER BY q.missing, q.approved_at, q.post_id LIMIT p_width) x
       WHERE l & p_mask = 0 ORDER BY x.approved_at, x.post_id;
  ELSE
    RETURN QUERY
      SELECT x.post_id FROM generate_series(0, 7) l,
        LATERAL (SELECT q.post_id, q.approved_at FROM queue_entry q
                  WHERE q.state = 'pending' AND q.holds = 0 AND q.not_before IS NULL AND q.missing BETWEEN l AND l
                  ORDER BY q.missing, q.approved_at, q.post_id LIMIT p_width) x
       WHERE l & p_mask = 0 ORDER BY x.approved_at, x.post_id;
  END IF;
END $$;

-- For keys not bound to streams. is_exhausted as in queue_pick_random.
CREATE OR REPLACE FUNCTION queue_pick_oldest(
  p_mask integer, p_tags text[], p_wanted integer, p_taken integer[], p_since timestamptz DEFAULT '-infinity',
  OUT picked integer[], OUT is_exhausted boolean
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  candidates integer[];
  -- More than wanted, because concurrent calls lock some of them.
  width integer := p_wanted + cardinality(p_taken) + 32;
BEGIN
  IF p_mask = 0 AND p_tags IS NULL THEN
    SELECT array_agg(x.post_id ORDER BY x.approved_at, x.post_id) INTO picked
      FROM (SELECT post_id, approved_at FROM queue_entry
             WHERE state = 'pending' AND holds = 0 AND not_before IS NULL AND confirmed_at > p_since
               AND post_id <> ALL (p_taken)
             ORDER BY approved_at, post_id LIMIT p_wanted FOR UPDATE SKIP LOCKED) x;
    picked := coalesce(picked, '{}');
    is_exhausted := cardinality(picked) < p_wanted;
    RETURN;
  END IF;
  candidates := ARRAY(SELECT queue_oldest_candidates(p_mask, '{}', p_tags, width) LIMIT width);
  is_exhausted := cardinality(candidates) < width;
  candidates := ARRAY(SELECT unnest(candidates) EXCEPT SELECT unnest(p_taken));
  SELECT array_agg(x.post_id ORDER BY x.approved_at, x.post_id) INTO picked
    FROM (SELECT post_id, approved_at FROM queue_entry
           WHERE post_id = ANY (candidates)
             AND state = 'pending' AND holds = 0 AND not_before IS NULL AND confirmed_at > p_since AND missing & p_mask = 0
           ORDER BY approved_at, post_id LIMIT p_wanted FOR UPDATE SKIP LOCKED) x;
  picked := coalesce(picked, '{}');
  is_exhausted := is_exhausted AND cardinality(picked) = cardinality(candidates);
END $$;

-- Null when none is free. Skips locked entries and those that were not confirmed after p_since.
CREATE OR REPLACE FUNCTION queue_pick(
  p_random boolean, p_mask integer, p_streams integer[], p_tags text[], p_since timestamptz DEFAULT '-infinity'
) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  candidate integer;
  found_id integer;
  width integer;
BEGIN
  IF p_random THEN
    SELECT picked[1] INTO found_id FROM queue_pick_random(p_mask, p_streams, p_tags, 1, '{}', p_since);
    IF found_id IS NOT NULL THEN RETURN found_id; END IF;
    -- All drawn posts are locked: take the oldest free one.
  END IF;
  IF p_mask = 0 AND cardinality(p_streams) = 0 AND p_tags IS NULL THEN
    SELECT post_id INTO found_id FROM queue_entry
     WHERE state = 'pending' AND holds = 0 AND not_before IS NULL AND confirmed_at > p_since
     ORDER BY approved_at, post_id LIMIT 1 FOR UPDATE SKIP LOCKED;
    RETURN found_id;
  END IF;
  -- Widen the search only when all candidates are locked.
  FOREACH width IN ARRAY ARRAY[8, 256] LOOP
    FOR candidate IN SELECT * FROM queue_oldest_candidates(p_mask, p_streams, p_tags, width) LOOP
      SELECT post_id INTO found_id FROM queue_entry
       WHERE post_id = candidate AND state = 'pending' AND holds = 0 AND not_before IS NULL AND confirmed_at > p_since
         AND missing & p_mask = 0
         FOR UPDATE SKIP LOCKED;
      IF found_id IS NOT NULL THEN RETURN found_id; END IF;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION queue_tags_of_today(p_time_zone text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(hashtag_folded) FROM topical_tag
   WHERE day_of_week = extract(dow FROM now() AT TIME ZONE p_time_zone)
      OR month_day = to_char(now() AT TIME ZONE p_time_zone, 'MM-DD')
$$;

-- When the first kept-back post returns that a caller may get; null for none among the first hundred.
CREATE OR REPLACE FUNCTION queue_next_return(p_mask integer, p_streams integer[], p_tags text[], p_since timestamptz)
RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT min(q.not_before)
    FROM (SELECT * FROM queue_entry WHERE not_before IS NOT NULL ORDER BY not_before LIMIT 100) q
   WHERE q.state = 'pending' AND q.holds = 0 AND q.missing & p_mask = 0 AND q.confirmed_at > p_since
     AND (cardinality(p_streams) = 0 OR q.stream_id = ANY (p_streams)) AND (p_tags IS NULL OR q.tags && p_tags)
$$;

-- outcome: ok, empty (lease_expires_at is then the time to ask again, or null), invalid_key, forbidden. Separate statements, so that a reservation that the sweep just returned
-- can be leased (docs/decisions/0002-one-statement-reserve.md). enable_seqscan = off: a plan cached while a table was
-- small must not become a scan of a large one. jit = off: the penalty of enable_seqscan would trigger compilation.
CREATE OR REPLACE FUNCTION queue_reserve(
  p_key_hash bytea, p_member_id integer, p_label text, p_random boolean, p_include_topical boolean,
  p_topical_only boolean, p_time_zone text, p_timeout_seconds integer, p_backoff boolean,
  p_confirm_hours integer DEFAULT 0
) RETURNS queue_item LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off AS $$
DECLARE
  caller queue_caller;
  item queue_item;
  mask integer;
  tags text[];
  chosen integer;
  since timestamptz := confirmed_since(p_confirm_hours);
BEGIN
  caller := queue_identify(p_key_hash, p_member_id, p_label, 'consume');
  item.outcome := caller.verdict;
  IF caller.verdict <> 'ok' THEN RETURN item; END IF;
  item.key_id := caller.key_id;
  item.stale_use := caller.stale_use;
  item.is_topical := false;

  IF NOT queue_sweep(p_backoff, since) THEN
    item.outcome := 'empty';
    item.lease_expires_at := now();
    RETURN item;
  END IF;
  SELECT require_media::int + 2 * require_alt_text::int + 4 * auto_reject_bots::int INTO mask FROM export_setting WHERE id = 1;

  IF p_include_topical THEN
    tags := queue_tags_of_today(p_time_zone);
    IF tags IS NOT NULL THEN
      chosen := queue_pick(p_random, mask, caller.stream_ids, tags, since);
      item.is_topical := chosen IS NOT NULL;
    END IF;
  END IF;
  IF chosen IS NULL AND NOT (p_include_topical AND p_topical_only) THEN
    chosen := queue_pick(p_random, mask, caller.stream_ids, NULL, since);
  END IF;
  IF chosen IS NULL THEN
    item.outcome := 'empty';
    IF NOT (p_include_topical AND p_topical_only) THEN
      item.lease_expires_at := queue_next_return(mask, caller.stream_ids, NULL, since);
    ELSIF tags IS NOT NULL THEN
      item.lease_expires_at := queue_next_return(mask, caller.stream_ids, tags, since);
    END IF;
    RETURN item;
  END IF;

  UPDATE queue_entry q
     SET state = 'reserved', lease_id = gen_random_uuid(), last_lease_id = NULL, lease_key_id = caller.key_id,
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

-- One row for each key, in order. outcome as in queue_reserve, or alone: call queue_reserve (a key bound to streams,
-- or a pool whose remaining posts are locked).
CREATE OR REPLACE FUNCTION queue_reserve_many(
  p_keys text[], p_random boolean, p_include_topical boolean, p_topical_only boolean, p_time_zone text,
  p_timeout_seconds integer, p_backoff boolean, p_confirm_hours integer DEFAULT 0
) RETURNS SETOF queue_item LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off AS $$
DECLARE
  callers queue_caller[] := queue_identify_many(p_keys, 'consume');
  positions integer[];
  mask integer;
  wanted integer;
  tags text[];
  topical integer[] := '{}';
  others integer[] := '{}';
  is_exhausted boolean := true;
  ask_again_at timestamptz := now();
  since timestamptz := confirmed_since(p_confirm_hours);
BEGIN
  SELECT array_agg(position ORDER BY position) INTO positions
    FROM generate_subscripts(callers, 1) position
   WHERE (callers[position]).verdict = 'ok' AND cardinality((callers[position]).stream_ids) = 0;
  wanted := coalesce(cardinality(positions), 0);

  IF wanted > 0 AND queue_sweep(p_backoff, since) THEN
    SELECT require_media::int + 2 * require_alt_text::int + 4 * auto_reject_bots::int INTO mask FROM export_setting WHERE id = 1;
    IF p_include_topical THEN tags := queue_tags_of_today(p_time_zone); END IF;
    IF tags IS NOT NULL THEN
      IF p_random THEN
        SELECT r.picked, r.is_exhausted INTO topical, is_exhausted FROM queue_pick_random(mask, '{}', tags, wanted, '{}', since) r;
      ELSE
        SELECT o.picked, o.is_exhausted INTO topical, is_exhausted FROM queue_pick_oldest(mask, tags, wanted, '{}', since) o;
      END IF;
    END IF;
    wanted := wanted - cardinality(topical);
    -- Other posts follow only when no topical post is left.
    IF wanted > 0 AND is_exhausted AND NOT (p_include_topical AND p_topical_only) THEN
      IF p_random THEN
        SELECT r.picked, r.is_exhausted INTO others, is_exhausted FROM queue_pick_random(mask, '{}', NULL, wanted, topical, since) r;
      ELSE
        SELECT o.picked, o.is_exhausted INTO others, is_exhausted FROM queue_pick_oldest(mask, NULL, wanted, topical, since) o;
      END IF;
    END IF;
    ask_again_at := CASE
      WHEN wanted <= cardinality(others) OR NOT is_exhausted THEN NULL
      WHEN NOT (p_include_topical AND p_topical_only) THEN queue_next_return(mask, '{}', NULL, since)
      WHEN tags IS NOT NULL THEN queue_next_return(mask, '{}', tags, since) END;
  END IF;

  RETURN QUERY
  WITH served AS MATERIALIZED (
    SELECT s.post_id, s.position, s.nth <= cardinality(topical) AS is_topical, (callers[s.position]).*
      FROM unnest(topical || others, positions) WITH ORDINALITY s (post_id, position, nth) WHERE s.post_id IS NOT NULL
  ), taken AS (
    UPDATE queue_entry q
       SET state = 'reserved', lease_id = gen_random_uuid(), last_lease_id = NULL, lease_key_id = s.key_id,
           lease_member_id = s.member_id, lease_label = s.label, reserved_at = now(),
           lease_expires_at = now() + p_timeout_seconds * interval '1 second', deliveries = q.deliveries + 1
      FROM served s WHERE q.post_id = s.post_id
    RETURNING s.position, s.is_topical, q.post_id, q.approved_at, q.lease_id, q.lease_expires_at, q.deliveries
  ), logged AS (
    INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state)
    SELECT post_id, label, member_id, key_id, source, 'reserve', 'pending', 'reserved' FROM served ORDER BY position
  )
  SELECT CASE WHEN t.position IS NOT NULL THEN 'ok'
              WHEN (callers[p]).verdict <> 'ok' THEN (callers[p]).verdict
              WHEN is_exhausted AND cardinality((callers[p]).stream_ids) = 0 THEN 'empty'
              ELSE 'alone' END,
         (callers[p]).key_id, (callers[p]).stale_use,
         t.post_id, o.uri, o.url, o.author_account, o.snippet, o.hashtags, o.stream_hashtag, o.media_count > 0, o.created_at,
         t.approved_at, coalesce(t.is_topical, false), t.lease_id,
         CASE WHEN t.position IS NULL THEN ask_again_at ELSE t.lease_expires_at END::timestamptz(3), t.deliveries
    FROM generate_subscripts(callers, 1) p LEFT JOIN taken t ON t.position = p LEFT JOIN post o ON o.id = t.post_id
   ORDER BY p;
END $$;
