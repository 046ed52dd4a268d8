-- GET /curated/next. Pools: see pool.sql.

-- Null for up to three refusals in a row, then 1 s, 2 s, 4 s … up to one hour.
CREATE OR REPLACE FUNCTION backoff_delay(p_refusals integer) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_refusals >= 4 THEN least(3600, power(2, least(p_refusals - 4, 20))) * interval '1 second' END
$$;

-- Ends backoffs and leases that are over, at most 500 of each, and holds ready entries that were confirmed at p_since or
-- before, at most p_limit. Returns the number of these. Mostly there is nothing to do, and one look says so.
CREATE OR REPLACE FUNCTION queue_sweep(p_since timestamptz DEFAULT '-infinity', p_limit integer DEFAULT 2000) RETURNS integer
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  expired integer;
BEGIN
  IF NOT (EXISTS (SELECT FROM queue_entry WHERE not_before <= now())
          OR EXISTS (SELECT FROM queue_entry WHERE lease_expires_at < now())
          OR EXISTS (SELECT FROM queue_entry WHERE is_ready(queue_entry) AND confirmed_at <= p_since)) THEN RETURN 0; END IF;
  UPDATE queue_entry SET not_before = NULL
   WHERE post_id IN (SELECT post_id FROM queue_entry WHERE not_before <= now()
                     ORDER BY not_before LIMIT 500 FOR UPDATE SKIP LOCKED);
  WITH expired AS (
    SELECT post_id, lease_label, lease_key_id FROM queue_entry
     WHERE lease_expires_at < now()
     ORDER BY lease_expires_at LIMIT 500 FOR UPDATE SKIP LOCKED
  ), swept AS (
    UPDATE queue_entry q
       SET state = 'pending', lease_id = NULL, lease_key_id = NULL, lease_label = NULL,
           reserved_at = NULL, lease_expires_at = NULL, timeouts = q.timeouts + 1, refusals = q.refusals + 1,
           not_before = now() + backoff_delay(q.refusals + 1)
      FROM expired e WHERE q.post_id = e.post_id
    RETURNING q.post_id, e.lease_label, e.lease_key_id
  )
  INSERT INTO post_event (post_id, actor, api_key_id, source, action, from_state, to_state, note)
  SELECT post_id, 'Sluice', lease_key_id, 'service', 'time_out', 'reserved', 'pending', lease_label FROM swept;
  UPDATE queue_entry SET holds = holds | 4
   WHERE post_id IN (SELECT post_id FROM queue_entry
                      WHERE is_ready(queue_entry) AND confirmed_at <= p_since
                      ORDER BY confirmed_at LIMIT p_limit FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS expired = ROW_COUNT;
  RETURN expired;
END $$;

-- For a caller of queue_identify. p_topical: whether the pools that are tried in turn are topical. outcome: ok, empty
-- (lease_expires_at is then when a post that is kept back returns, or null), or the caller's verdict.
-- Separate statements, so that a reservation that the sweep just returned can be leased
-- (docs/decisions/0002-one-statement-reserve.md). Plans are kept and must be right for any size: seqscan and bitmapscan = off
-- against those of a small table, jit = off because the penalty of these would start it.
CREATE OR REPLACE FUNCTION queue_reserve(
  caller queue_caller, p_random boolean, p_topical boolean[], p_time_zone text, p_timeout_seconds integer,
  p_confirm_hours integer DEFAULT 0
) RETURNS queue_item LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  item queue_item;
  pool queue_pool;
  since timestamptz := confirmed_since(p_confirm_hours);
BEGIN
  item.outcome := caller.verdict;
  IF caller.verdict <> 'ok' THEN RETURN item; END IF;
  item.outcome := 'empty';
  item.key_id := caller.key_id;
  item.stream_ids := caller.stream_ids;
  -- More are left, after a change of CONFIRM_WITHIN_HOURS: a choice might have to skip a million of them.
  IF queue_sweep(since) >= 2000 THEN
    item.lease_expires_at := now();
    RETURN item;
  END IF;
  IF (SELECT (value -> 'deliveries_paused')::boolean FROM setting WHERE name = 'switches') THEN RETURN item; END IF;
  FOREACH item.is_topical IN ARRAY p_topical LOOP
    pool := queue_pool_of(caller.stream_ids, item.is_topical, p_time_zone, since);
    item.post_id := queue_choose(pool, p_random);
    EXIT WHEN item.post_id IS NOT NULL;
  END LOOP;
  IF item.post_id IS NULL THEN
    item.lease_expires_at := queue_next_return(pool);
    RETURN item;
  END IF;

  UPDATE queue_entry q
     SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = caller.key_id,
         lease_label = caller.label, reserved_at = now(),
         lease_expires_at = now() + p_timeout_seconds * interval '1 second', deliveries = q.deliveries + 1
   WHERE q.post_id = item.post_id
  RETURNING 'ok', q.approved_at, q.lease_id, q.lease_expires_at, q.deliveries
       INTO item.outcome, item.approved_at, item.lease_id, item.lease_expires_at, item.deliveries;
  SELECT uri, url, author_account, snippet, hashtags, stream_hashtag, media_count > 0, created_at
    INTO item.uri, item.url, item.author_account, item.snippet, item.hashtags, item.stream_hashtag, item.has_attachments,
         item.post_created_at
    FROM post WHERE id = item.post_id;
  INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state)
  VALUES (item.post_id, caller.label, caller.member_id, caller.key_id, caller.source, 'reserve', 'pending', 'reserved');
  RETURN item;
END $$;
