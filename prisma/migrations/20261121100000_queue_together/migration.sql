-- Requests that come while others are at the database go there together (lib/queue/gather.ts): one round trip, one
-- statement and one commit for all of them. These functions do the ordinary case of many callers at once and leave
-- everything else to queue_reserve and queue_settle, the only places where the rules are spelled out: an answer
-- "alone" says that this caller has to ask there.

-- Who calls, one for each key in p_keys (SHA-256, hexadecimal) and in its order; equal keys are looked up once.
CREATE FUNCTION queue_identify_many(p_keys text[], p_scope text) RETURNS queue_caller[] LANGUAGE sql STABLE AS $$
  WITH known AS MATERIALIZED (
    SELECT key, queue_identify(decode(key, 'hex'), NULL, NULL, p_scope) AS caller
      FROM (SELECT DISTINCT unnest(p_keys) AS key) each_key
  )
  SELECT array_agg(known.caller ORDER BY asked.place)
    FROM unnest(p_keys) WITH ORDINALITY asked (key, place) JOIN known ON known.key = asked.key
$$;

-- The oldest eligible posts for callers without wishes, one each, the oldest to the first. One row for each key, in
-- order. outcome: ok, empty, invalid_key, forbidden, or alone (a key bound to streams; a pool that ran dry behind the
-- switches, where the single call looks further).
CREATE FUNCTION queue_reserve_many(p_keys text[], p_timeout_seconds integer, p_backoff boolean)
RETURNS SETOF queue_item LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  callers queue_caller[] := queue_identify_many(p_keys, 'consume');
  places integer[];
  mask integer;
  wanted integer;
  chosen integer[];
BEGIN
  SELECT array_agg(place ORDER BY place) INTO places
    FROM generate_subscripts(callers, 1) place
   WHERE (callers[place]).verdict = 'ok' AND cardinality((callers[place]).stream_ids) = 0;
  wanted := coalesce(cardinality(places), 0);

  IF wanted > 0 THEN
    PERFORM queue_sweep(p_backoff);
    SELECT require_media::int + 2 * require_alt_text::int + 4 * auto_reject_bots::int INTO mask FROM export_setting WHERE id = 1;
    IF mask = 0 THEN
      SELECT array_agg(x.post_id ORDER BY x.approved_at, x.post_id) INTO chosen
        FROM (SELECT post_id, approved_at FROM queue_entry
               WHERE state = 'pending' AND holds = 0 AND not_before IS NULL
               ORDER BY approved_at, post_id LIMIT wanted FOR UPDATE SKIP LOCKED) x;
    ELSE
      -- A few more than wanted: some will be in the hands of another call of the same moment.
      SELECT array_agg(x.post_id ORDER BY x.approved_at, x.post_id) INTO chosen
        FROM (SELECT post_id, approved_at FROM queue_entry
               WHERE post_id = ANY (ARRAY(SELECT queue_oldest_of(mask, '{}', NULL, wanted + 32) LIMIT wanted + 32))
                 AND state = 'pending' AND holds = 0 AND not_before IS NULL AND lacks & mask = 0
               ORDER BY approved_at, post_id LIMIT wanted FOR UPDATE SKIP LOCKED) x;
    END IF;
  END IF;

  RETURN QUERY
  WITH served AS MATERIALIZED (
    SELECT s.post_id, s.place, (callers[s.place]).* FROM unnest(chosen, places) s (post_id, place) WHERE s.post_id IS NOT NULL
  ), taken AS (
    UPDATE queue_entry q
       SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = s.key_id, lease_member_id = s.member_id,
           lease_label = s.label, reserved_at = now(),
           lease_expires_at = now() + p_timeout_seconds * interval '1 second', deliveries = q.deliveries + 1
      FROM served s WHERE q.post_id = s.post_id
    RETURNING s.place, q.post_id, q.approved_at, q.lease_id, q.lease_expires_at, q.deliveries
  ), logged AS (
    INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state)
    SELECT post_id, label, member_id, key_id, source, 'reserve', 'pending', 'reserved' FROM served
  )
  SELECT CASE WHEN t.place IS NOT NULL THEN 'ok'
              WHEN (callers[p]).verdict <> 'ok' THEN (callers[p]).verdict
              WHEN mask = 0 AND cardinality((callers[p]).stream_ids) = 0 THEN 'empty'
              ELSE 'alone' END,
         (callers[p]).key_id, (callers[p]).stale_use,
         t.post_id, o.uri, o.url, o.author_account, o.snippet, o.hashtags, o.stream_hashtag, o.media_count > 0, o.created_at,
         t.approved_at, false, t.lease_id, t.lease_expires_at, t.deliveries
    FROM generate_subscripts(callers, 1) p LEFT JOIN taken t ON t.place = p LEFT JOIN post o ON o.id = t.post_id
   ORDER BY p;
END $$;

-- Ack or nack of several reserved posts, each named once. Never waits: what another transaction holds is left alone.
-- Reserved is asked as "has a lease", which is the same (a check of the table): by the state, a planner with old
-- statistics would walk all reservations through queue_entry_state_idx.
-- outcome: ok, invalid_key, forbidden, or alone (bound key, not reserved, another lease, locked: the single call tells).
CREATE FUNCTION queue_settle_many(p_keys text[], p_post_ids integer[], p_leases text[], p_move text, p_backoff boolean)
RETURNS SETOF queue_settlement LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  callers queue_caller[] := queue_identify_many(p_keys, 'consume');
BEGIN
  IF p_move NOT IN ('ack', 'nack') THEN RAISE EXCEPTION 'not a move for many: %', p_move; END IF;
  RETURN QUERY
  WITH asked AS MATERIALIZED (
    SELECT a.place, a.post_id, a.lease, (callers[a.place]).*
      FROM unnest(p_post_ids, p_leases) WITH ORDINALITY a (post_id, lease, place)
  ), free AS MATERIALIZED (
    SELECT q.post_id, a.place, a.label, a.member_id, a.key_id, a.source
      FROM asked a JOIN queue_entry q ON q.post_id = a.post_id
     WHERE a.verdict = 'ok' AND cardinality(a.stream_ids) = 0
       AND q.lease_id IS NOT NULL AND (a.lease IS NULL OR q.lease_id::text = ANY (string_to_array(a.lease, ',')))
       FOR UPDATE OF q SKIP LOCKED
  ), settled AS (
    UPDATE queue_entry q SET
      state = CASE p_move WHEN 'ack' THEN 'delivered' ELSE 'pending' END,
      lease_id = NULL, lease_expires_at = NULL,
      lease_key_id = CASE p_move WHEN 'ack' THEN q.lease_key_id END,
      lease_member_id = CASE p_move WHEN 'ack' THEN q.lease_member_id END,
      lease_label = CASE p_move WHEN 'ack' THEN q.lease_label END,
      reserved_at = CASE p_move WHEN 'ack' THEN q.reserved_at END,
      delivered_at = CASE p_move WHEN 'ack' THEN now() END,
      nacks = q.nacks + (p_move = 'nack')::int,
      refusals = CASE p_move WHEN 'ack' THEN 0 ELSE q.refusals + 1 END,
      not_before = CASE WHEN p_move = 'nack' AND p_backoff THEN now() + refusal_pause(q.refusals + 1) END
      FROM free f WHERE q.post_id = f.post_id AND q.lease_id IS NOT NULL
    RETURNING f.place, q.post_id, q.state, q.author_key, f.label, f.member_id, f.key_id, f.source
  ), logged AS (
    INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state)
    SELECT s.post_id, s.label, s.member_id, s.key_id, s.source, p_move, 'reserved', s.state FROM settled s
  )
  SELECT CASE WHEN s.place IS NOT NULL THEN 'ok' WHEN a.verdict <> 'ok' THEN a.verdict ELSE 'alone' END,
         a.key_id, a.stale_use, s.state, NULL::timestamptz(3), s.author_key
    FROM asked a LEFT JOIN settled s ON s.place = a.place ORDER BY a.place;
END $$;

ALTER FUNCTION queue_reserve_many SET enable_seqscan = off SET jit = off;
ALTER FUNCTION queue_settle_many SET enable_seqscan = off SET jit = off;
