-- GET /curated/next. Pools: see pool.sql.

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
                      WHERE is_ready(queue_entry) AND confirmed_at <= p_since
                      ORDER BY confirmed_at LIMIT p_limit FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

-- At most 500 of each in one call, so that the longest call stays short; of expired confirmations 2 000. False: more
-- of these are left, which happens only after CONFIRM_WITHIN_HOURS was changed. The caller then reserves nothing,
-- because a choice might have to skip a million entries.
CREATE OR REPLACE FUNCTION queue_sweep(p_since timestamptz DEFAULT '-infinity') RETURNS boolean
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
  END IF;
  WHILE expired < 2000 AND EXISTS (
    SELECT FROM queue_entry WHERE is_ready(queue_entry) AND confirmed_at <= p_since) LOOP
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

-- Locks up to p_wanted posts. p_topical: whether the pools that are tried in turn are topical; topical ones come first.
-- topical: the number of posts from such pools. ask_again_at: when a post that is kept back returns, or null.
CREATE OR REPLACE FUNCTION queue_choose(
  p_streams integer[], p_random boolean, p_topical boolean[], p_time_zone text, p_since timestamptz, p_wanted integer,
  OUT picked integer[], OUT topical integer, OUT ask_again_at timestamptz
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  is_topical boolean;
  pool queue_pool;
BEGIN
  picked := '{}';
  topical := 0;
  IF (SELECT (value -> 'deliveries_paused')::boolean FROM setting WHERE name = 'switches') THEN RETURN; END IF;
  FOREACH is_topical IN ARRAY p_topical LOOP
    pool := queue_pool_of(p_streams, is_topical, p_time_zone, p_since);
    picked := picked || queue_pick(pool, p_random, p_wanted - cardinality(picked), picked);
    IF is_topical THEN topical := cardinality(picked); END IF;
    IF cardinality(picked) = p_wanted THEN RETURN; END IF;
  END LOOP;
  ask_again_at := queue_next_return(pool);
END $$;

-- outcome: ok, empty (lease_expires_at is then the time to ask again, or null), or the refusal of queue_identify.
-- p_random and p_topical: see queue_choose. Separate statements, so that a reservation that the sweep just returned
-- can be leased (docs/decisions/0002-one-statement-reserve.md). enable_seqscan = off: a plan cached while a table was
-- small must not become a scan of a large one. jit = off: the penalty of enable_seqscan would trigger compilation.
-- force_generic_plan: a limit that is a parameter would be planned anew in each call, which takes longer than its plan.
CREATE OR REPLACE FUNCTION queue_reserve(
  caller queue_caller, p_random boolean, p_topical boolean[], p_time_zone text, p_timeout_seconds integer,
  p_confirm_hours integer DEFAULT 0
) RETURNS queue_item LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  choice record;
  item queue_item;
  since timestamptz := confirmed_since(p_confirm_hours);
BEGIN
  item.outcome := caller.verdict;
  IF caller.verdict <> 'ok' THEN RETURN item; END IF;
  item.key_id := caller.key_id;
  item.stream_ids := caller.stream_ids;

  IF NOT queue_sweep(since) THEN
    item.outcome := 'empty';
    item.lease_expires_at := now();
    RETURN item;
  END IF;
  choice := queue_choose(caller.stream_ids, p_random, p_topical, p_time_zone, since, 1);
  item.post_id := choice.picked[1];
  item.is_topical := choice.topical > 0;
  IF item.post_id IS NULL THEN
    item.outcome := 'empty';
    item.lease_expires_at := choice.ask_again_at;
    RETURN item;
  END IF;

  UPDATE queue_entry q
     SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = caller.key_id,
         lease_label = caller.label, reserved_at = now(),
         lease_expires_at = now() + p_timeout_seconds * interval '1 second', deliveries = q.deliveries + 1
   WHERE q.post_id = item.post_id
  RETURNING q.approved_at, q.lease_id, q.lease_expires_at, q.deliveries
       INTO item.approved_at, item.lease_id, item.lease_expires_at, item.deliveries;
  INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state)
  VALUES (item.post_id, caller.label, caller.member_id, caller.key_id, caller.source, 'reserve', 'pending', 'reserved');
  SELECT p.uri, p.url, p.author_account, p.snippet, p.hashtags, p.stream_hashtag, p.media_count > 0, p.created_at
    INTO item.uri, item.url, item.author_account, item.snippet, item.hashtags, item.stream_hashtag,
         item.has_attachments, item.post_created_at
    FROM post p WHERE p.id = item.post_id;
  RETURN item;
END $$;
