-- GET /curated/next. A pool (type queue_pool) is the set of posts that a call may have. streams: empty for all. tags: the post
-- has one of them; null for all. since: the post was confirmed later. recheck: compare with the lists, because a change of
-- them is not yet in all holds. PostgreSQL inlines the function, so that the partial indexes apply.

CREATE OR REPLACE FUNCTION is_in_pool(e queue_entry, p queue_pool) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT e.state = 'pending' AND e.holds = 0 AND e.not_before IS NULL AND e.confirmed_at > p.since
     AND (p.streams = '{}' OR e.stream_id = ANY (p.streams)) AND (p.tags IS NULL OR e.tags && p.tags)
     AND (NOT p.recheck OR hold_bits(e.author_key, e.tags, e.related, e.missing) = 0)
$$;

-- Time that a post is kept back: null for up to three refusals in a row, then 1 s, 2 s, 4 s … up to one hour.
CREATE OR REPLACE FUNCTION backoff_delay(p_refusals integer) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_refusals >= 4 THEN least(3600, power(2, least(p_refusals - 4, 20))) * interval '1 second' END
$$;

-- Ends expired leases and back-offs, the oldest 500. Holds up to p_limit pending entries whose confirmation has expired (at
-- p_since or before), and returns their number.
CREATE OR REPLACE FUNCTION queue_sweep(p_since timestamptz DEFAULT '-infinity', p_limit integer DEFAULT 2000) RETURNS integer
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  expired integer;
BEGIN
  WITH due AS (
    SELECT post_id, lease_label, lease_key_id, lease_expires_at IS NOT NULL AS is_lease FROM queue_entry
     WHERE coalesce(lease_expires_at, not_before) <= now() AND (lease_expires_at IS NOT NULL OR not_before IS NOT NULL)
     ORDER BY coalesce(lease_expires_at, not_before) LIMIT 500 FOR UPDATE SKIP LOCKED
  ), woken AS (
    UPDATE queue_entry q
       SET state = 'pending', lease_id = NULL, lease_key_id = NULL, lease_label = NULL, reserved_at = NULL,
           lease_expires_at = NULL, timeouts = q.timeouts + is_lease::int, refusals = q.refusals + is_lease::int,
           not_before = CASE WHEN is_lease THEN now() + backoff_delay(q.refusals + 1) END
      FROM due WHERE q.post_id = due.post_id RETURNING due.*
  )
  INSERT INTO post_event (post_id, actor, api_key_id, source, action, from_state, to_state, note)
  SELECT post_id, 'Sluice', lease_key_id, 'service', 'time_out', 'reserved', 'pending', lease_label FROM woken WHERE is_lease;
  UPDATE queue_entry SET holds = holds | 4
   WHERE post_id IN (SELECT post_id FROM queue_entry
                      WHERE state = 'pending' AND holds = 0 AND confirmed_at <= p_since
                      ORDER BY confirmed_at LIMIT p_limit FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS expired = ROW_COUNT;
  RETURN expired;
END $$;

-- Chooses a post of the pool and locks its entry: the oldest, or, for p_random, the oldest of a random post's author. Skips
-- locked entries; null when no other is left. Up to 5 000 posts of the pool's topics or streams are read as a whole. Otherwise
-- a random post is drawn from a window of random keys, which is accepted with the probability (its posts / 64); the first
-- window is the whole range (docs/decisions/0003-uniform-random-choice.md).
-- "x BETWEEN v AND v ORDER BY x": with "x = v" the planner would choose an index in another order.
CREATE OR REPLACE FUNCTION queue_choose(pool queue_pool, p_random boolean) RETURNS integer
LANGUAGE plpgsql VOLATILE SET enable_sort = off SET enable_indexscan = on SET enable_bitmapscan = off AS $$
DECLARE
  candidates integer[];
  is_complete boolean := false;
  max_candidates integer := CASE WHEN p_random THEN 5001 ELSE 16 END;
  start float8 := 0; -- of the window of random keys
  width float8 := 1;
  last_key float8;
  author text;
  found_id integer;
BEGIN
  LOOP
    IF NOT is_complete AND (pool.streams <> '{}' OR pool.tags IS NOT NULL) THEN
      -- Merges the oldest posts of each set of topics and each stream: the pool's streams, or all that have posts of the set.
      candidates := ARRAY(
        WITH RECURSIVE part AS (
          SELECT '' COLLATE "C" AS topics, -2 AS stream, pool.tags IS NULL AS is_wanted UNION ALL
          SELECT following.* FROM part, LATERAL (
            SELECT q.topics, coalesce(stream_id, -1), pool.tags IS NULL OR string_to_array(q.topics, '#') && pool.tags FROM queue_entry q
             WHERE (q.topics, coalesce(stream_id, -1)) > (part.topics, CASE WHEN is_wanted AND pool.streams = '{}' THEN stream ELSE 2147483647 END)
               AND state = 'pending' AND holds = 0 AND not_before IS NULL ORDER BY q.topics, coalesce(stream_id, -1) LIMIT 1) following
        ), waiting AS NOT MATERIALIZED (
          SELECT x.* FROM part, unnest(CASE WHEN pool.streams = '{}' THEN ARRAY[stream] ELSE pool.streams END) s, LATERAL (
            SELECT post_id, approved_at FROM queue_entry q
             WHERE topics BETWEEN part.topics AND part.topics AND coalesce(stream_id, -1) BETWEEN s AND s AND is_in_pool(q, pool)
             ORDER BY topics, coalesce(stream_id, -1), approved_at, post_id LIMIT max_candidates) x
           WHERE is_wanted
        ) (SELECT post_id FROM waiting WHERE NOT p_random ORDER BY approved_at, post_id LIMIT max_candidates)
          UNION ALL (SELECT post_id FROM (SELECT * FROM waiting WHERE p_random LIMIT max_candidates) any_order ORDER BY random()));
      is_complete := cardinality(candidates) < max_candidates;
    END IF;
    IF NOT is_complete AND p_random THEN
      FOR attempt IN 1..100 LOOP
        SELECT coalesce(array_agg(post_id ORDER BY random()), '{}'), max(random_key) INTO candidates, last_key FROM (
          SELECT post_id, random_key FROM queue_entry q
           WHERE is_in_pool(q, pool) AND random_key >= start AND random_key < start + width ORDER BY random_key LIMIT 65) x;
        is_complete := width = 1 AND cardinality(candidates) < 65;
        EXIT WHEN is_complete OR cardinality(candidates) < 65 AND random() < cardinality(candidates) / 64.0;
        -- The window aims at 24 posts. One with more than 64 would favour some posts.
        width := CASE cardinality(candidates) WHEN 65 THEN (last_key - start) * 24 / 65 WHEN 0 THEN least(2 * width, 0.5) ELSE width END;
        start := random() * (1 + width) - width;
      END LOOP;
    ELSIF NOT is_complete AND pool.streams = '{}' AND pool.tags IS NULL THEN
      SELECT post_id INTO found_id FROM queue_entry q WHERE is_in_pool(q, pool)
       ORDER BY approved_at, post_id LIMIT 1 FOR UPDATE SKIP LOCKED;
      RETURN found_id;
    END IF;
    FOR i IN 1..cardinality(candidates) LOOP
      IF p_random THEN
        SELECT author_key INTO author FROM queue_entry WHERE post_id = candidates[i];
        SELECT post_id INTO found_id FROM queue_entry q WHERE author_key BETWEEN author AND author AND is_in_pool(q, pool)
         ORDER BY author_key, approved_at, post_id LIMIT 1 FOR UPDATE SKIP LOCKED;
      ELSE
        SELECT post_id INTO found_id FROM queue_entry q WHERE post_id = candidates[i] AND is_in_pool(q, pool)
           FOR UPDATE SKIP LOCKED;
      END IF;
      IF found_id IS NOT NULL THEN RETURN found_id; END IF;
    END LOOP;
    IF is_complete THEN RETURN NULL; END IF;
    max_candidates := CASE WHEN p_random THEN 16 ELSE 16 * max_candidates END;
    p_random := false;
  END LOOP;
END $$;

-- Leases a post to a caller of queue_identify. p_topical: the pools to try in turn; true for topical posts. outcome: ok, empty
-- (lease_expires_at is then the time at which a post that is kept back is offered again, or null), or the caller's verdict.
-- The sweep is a statement of its own, so that the claim sees the posts that it returned
-- (docs/decisions/0002-one-statement-reserve.md). Plans are kept and must suit every size of the table: no seqscan and no
-- bitmapscan, which suit a small one; no jit, which the cost of a forbidden scan would start.
CREATE OR REPLACE FUNCTION queue_reserve(
  caller queue_caller, p_random boolean, p_topical boolean[], p_time_zone text, p_timeout_seconds integer,
  p_confirm_hours integer DEFAULT 0
) RETURNS queue_item LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  item queue_item;
  pool queue_pool;
  today timestamp := now() AT TIME ZONE p_time_zone;
  is_due boolean;
  is_paused boolean;
BEGIN
  item.outcome := caller.verdict;
  IF caller.verdict <> 'ok' THEN RETURN item; END IF;
  item.outcome := 'empty';
  item.key_id := caller.key_id;
  item.stream_ids := caller.stream_ids;
  pool.streams := caller.stream_ids;
  pool.since := confirmed_since(p_confirm_hours);
  SELECT EXISTS (SELECT FROM queue_entry WHERE coalesce(lease_expires_at, not_before) <= now()
                                           AND (lease_expires_at IS NOT NULL OR not_before IS NOT NULL))
         OR EXISTS (SELECT FROM queue_entry WHERE state = 'pending' AND holds = 0 AND confirmed_at <= pool.since),
         (SELECT (value -> 'deliveries_paused')::boolean FROM setting WHERE name = 'switches'),
         EXISTS (SELECT FROM hold_change)
    INTO is_due, is_paused, pool.recheck;
  -- More are left after a change of CONFIRM_WITHIN_HOURS. A choice might have to skip a million of them.
  IF is_due AND queue_sweep(pool.since) >= 2000 THEN
    item.lease_expires_at := now();
    RETURN item;
  END IF;
  IF is_paused THEN RETURN item; END IF;
  FOREACH item.is_topical IN ARRAY p_topical LOOP
    pool.tags := CASE WHEN item.is_topical THEN ARRAY(
      SELECT hashtag_folded FROM topical_tag
       WHERE day_of_week = extract(dow FROM today) OR month_day = to_char(today, 'MM-DD')) END;
    item.post_id := queue_choose(pool, p_random);
    EXIT WHEN item.post_id IS NOT NULL;
  END LOOP;
  IF item.post_id IS NULL THEN
    SELECT min(not_before) INTO item.lease_expires_at
      FROM (SELECT * FROM queue_entry WHERE not_before IS NOT NULL ORDER BY coalesce(lease_expires_at, not_before) LIMIT 100) q
     WHERE holds = 0 AND confirmed_at > pool.since AND (pool.streams = '{}' OR stream_id = ANY (pool.streams))
       AND (pool.tags IS NULL OR tags && pool.tags);
    RETURN item;
  END IF;

  UPDATE queue_entry q
     SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = caller.key_id,
         lease_label = caller.label, reserved_at = now(),
         lease_expires_at = now() + p_timeout_seconds * interval '1 second', deliveries = q.deliveries + 1
    FROM post p
   WHERE q.post_id = item.post_id AND p.id = item.post_id
  RETURNING 'ok', caller.key_id, caller.stream_ids, q.post_id, p.uri, p.url, p.author_account, p.snippet, p.hashtags,
            p.stream_hashtag, p.media_count > 0, p.created_at, q.approved_at, item.is_topical, q.lease_id, q.lease_expires_at,
            q.deliveries INTO item;
  INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state)
  VALUES (item.post_id, caller.label, caller.member_id, caller.key_id, caller.source, 'reserve', 'pending', 'reserved');
  RETURN item;
END $$;
