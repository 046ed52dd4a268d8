-- ack, nack, error or extend of posts by their callers, a row for each, in order. Never waits. outcome: ok,
-- invalid_key, forbidden, not_found, conflict (state holds the reason), stale (another lease than those in the
-- comma-separated p_leases holds the post), limit (24 hours after the reservation began), alone (another transaction holds
-- the entry: call queue_settle).
-- lease_expires_at: the end of an extended lease, or the time until which a nacked post is kept back.
CREATE OR REPLACE FUNCTION queue_settle_many(
  callers queue_caller[], p_post_ids integer[], p_leases text[], p_action text, p_reason text,
  p_details jsonb, p_timeout_seconds integer
) RETURNS SETOF queue_settlement LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off AS $$
BEGIN
  RETURN QUERY
  WITH asked AS MATERIALIZED (
    SELECT a.position, a.post_id, string_to_array(a.lease, ',') AS leases, (callers[a.position]).*
      FROM unnest(p_post_ids, p_leases) WITH ORDINALITY a (post_id, lease, position)
  ), found AS MATERIALIZED (
    SELECT a.*, q.state, q.reserved_at + interval '24 hours' AS ends_at, q.lease_expires_at,
           q.state = 'reserved' AS is_reserved, a.leases IS NULL OR q.lease_id::text = ANY (a.leases) AS is_current
      FROM asked a JOIN queue_entry q ON q.post_id = a.post_id
     WHERE a.verdict = 'ok'
       FOR UPDATE OF q SKIP LOCKED
  ), judged AS (
    SELECT f.*,
           f.is_reserved AND f.is_current AS is_allowed, p_action = 'extend' AND f.lease_expires_at >= f.ends_at AS is_at_limit
      FROM found f
  ), settled AS (
    UPDATE queue_entry q SET
      state = CASE p_action WHEN 'ack' THEN 'delivered' WHEN 'error' THEN 'error' WHEN 'extend' THEN 'reserved' ELSE 'pending' END,
      lease_id = CASE WHEN p_action = 'extend' THEN q.lease_id END,
      -- A settled post keeps the caller who settled it, as its event does; a post that returns to the queue has no holder.
      lease_key_id = CASE WHEN p_action IN ('ack', 'error') THEN f.key_id WHEN p_action = 'extend' THEN q.lease_key_id END,
      lease_label = CASE WHEN p_action IN ('ack', 'error') THEN f.label WHEN p_action = 'extend' THEN q.lease_label END,
      reserved_at = CASE WHEN p_action <> 'nack' THEN q.reserved_at END,
      lease_expires_at = CASE WHEN p_action = 'extend' THEN least(now() + p_timeout_seconds * interval '1 second', f.ends_at) END,
      delivered_at = CASE WHEN p_action = 'ack' THEN now() END,
      errored_at = CASE WHEN p_action = 'error' THEN now() END,
      error_reason = CASE WHEN p_action = 'error' THEN p_reason END,
      error_details = CASE WHEN p_action = 'error' THEN p_details END,
      nacks = q.nacks + (p_action = 'nack')::int,
      refusals = CASE p_action WHEN 'nack' THEN q.refusals + 1 WHEN 'extend' THEN q.refusals ELSE 0 END,
      not_before = CASE WHEN p_action = 'nack' THEN now() + backoff_delay(q.refusals + 1) END
      FROM judged f
     WHERE q.post_id = f.post_id AND f.is_allowed AND f.is_at_limit IS NOT TRUE
    RETURNING f.position, q.post_id, q.state, q.author_key, coalesce(q.lease_expires_at, q.not_before) AS until
  ), logged AS (
    INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state, note, details)
    SELECT f.post_id, f.label, f.member_id, f.key_id, f.source, p_action, f.state, s.state,
           p_reason, p_details
      FROM settled s JOIN found f ON f.position = s.position WHERE p_action <> 'extend'
  ), withdrawn AS (
    -- Boosted after the post was withdrawn: told again (record_withdrawn).
    INSERT INTO post_event (post_id, actor, source, action, details)
    SELECT p.id, 'Sluice', 'service', 'withdrawn', jsonb_build_object('stream_id', p.stream_id)
      FROM settled s JOIN post p ON p.id = s.post_id WHERE p_action = 'ack' AND p.erased_at IS NOT NULL
  )
  SELECT CASE WHEN s.position IS NOT NULL THEN 'ok'
              WHEN a.verdict <> 'ok' THEN a.verdict
              WHEN f.position IS NULL AND EXISTS (SELECT FROM queue_entry WHERE post_id = a.post_id) THEN 'alone'
              WHEN p.id IS NULL THEN 'not_found'
              WHEN f.is_reserved AND NOT f.is_current THEN 'stale'
              WHEN f.is_reserved THEN 'limit'
              ELSE 'conflict' END,
         a.key_id,
         coalesce(s.state, f.state, CASE WHEN p.id IS NULL THEN NULL WHEN p.approved IS NULL THEN 'unreviewed' ELSE 'rejected' END),
         s.until::timestamptz(3), s.author_key
    FROM asked a LEFT JOIN judged f ON f.position = a.position LEFT JOIN settled s ON s.position = a.position
    LEFT JOIN post p ON s.position IS NULL AND p.id = a.post_id
   ORDER BY a.position;
END $$;

-- One post; waits while another transaction holds its entry.
CREATE OR REPLACE FUNCTION queue_settle(
  p_key_hash bytea, p_member_id integer, p_label text, p_post_id integer, p_action text, p_lease text,
  p_reason text, p_details jsonb, p_timeout_seconds integer
) RETURNS queue_settlement LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off AS $$
DECLARE
  caller queue_caller := queue_identify(p_key_hash, p_member_id, p_label, 'consume');
  result queue_settlement;
BEGIN
  PERFORM FROM queue_entry WHERE post_id = p_post_id AND caller.verdict = 'ok' FOR UPDATE;
  SELECT * INTO result FROM queue_settle_many(ARRAY[caller], ARRAY[p_post_id], ARRAY[p_lease], p_action, p_reason,
                                              p_details, p_timeout_seconds);
  RETURN result;
END $$;
