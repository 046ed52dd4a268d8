-- Whether a caller with the scope 'consume' holds a reservation, or may settle it for its holder: a key with the scope
-- 'manage', an admin's session, the session of the member who reserved, and, so that rotating keys loses nothing, any
-- key of that member once the holding key is revoked or expired.
CREATE OR REPLACE FUNCTION queue_may_settle(
  p_key_id integer, p_member_id integer, p_lease_key_id integer, p_lease_member_id integer
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_lease_key_id = p_key_id THEN true
    WHEN p_lease_member_id = p_member_id AND p_key_id IS NULL THEN true
    WHEN p_lease_member_id = p_member_id AND p_lease_key_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM api_key h
       WHERE h.id = p_lease_key_id AND h.revoked_at IS NULL AND (h.expires_at IS NULL OR h.expires_at > now())) THEN true
    ELSE EXISTS (
      SELECT FROM member m LEFT JOIN api_key k ON k.id = p_key_id
       WHERE m.id = p_member_id AND role_grants(m.role, 'manage')
         AND (p_key_id IS NULL OR 'manage' = ANY (k.scopes)))
  END
$$;

-- lease_expires_at: the end of an extended lease, or the time until which a nacked post is kept back.
-- outcome: ok, invalid_key, forbidden, not_found, conflict (state holds the reason), stale (a lease that is not in
-- the comma-separated p_lease, or not the caller's, holds the post). "Has a lease" equals "state = 'reserved'" by a constraint; with
-- outdated statistics the latter would walk queue_entry_state_idx. A bound key may settle its own reservation even
-- when the stream was deleted meanwhile.
CREATE OR REPLACE FUNCTION queue_settle(
  p_key_hash bytea, p_member_id integer, p_label text, p_scope text, p_post_id integer, p_action text, p_lease text,
  p_reason text, p_details jsonb, p_timeout_seconds integer, p_backoff boolean
) RETURNS queue_settlement LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off AS $$
DECLARE
  caller queue_caller;
  result queue_settlement;
  entry queue_entry;
BEGIN
  caller := queue_identify(p_key_hash, p_member_id, p_label, p_scope);
  result.outcome := caller.verdict;
  IF caller.verdict <> 'ok' THEN RETURN result; END IF;
  result.key_id := caller.key_id;
  result.stale_use := caller.stale_use;

  UPDATE queue_entry q SET
    state = CASE p_action WHEN 'ack' THEN 'delivered' WHEN 'error' THEN 'error' WHEN 'extend' THEN 'reserved' ELSE 'pending' END,
    lease_id = CASE WHEN p_action = 'extend' THEN q.lease_id END,
    -- The consumer may have boosted the post before an operator released it.
    last_lease_id = CASE WHEN p_action = 'release' THEN q.lease_id END,
    last_lease_key_id = CASE WHEN p_action = 'release' THEN q.lease_key_id END,
    last_lease_member_id = CASE WHEN p_action = 'release' THEN q.lease_member_id END,
    -- A settled post keeps the caller who settled it, as its event does; a post that returns to the queue has no holder.
    lease_key_id = CASE WHEN p_action IN ('ack', 'error') THEN caller.key_id WHEN p_action = 'extend' THEN q.lease_key_id END,
    lease_member_id = CASE WHEN p_action IN ('ack', 'error') THEN caller.member_id WHEN p_action = 'extend' THEN q.lease_member_id END,
    lease_label = CASE WHEN p_action IN ('ack', 'error') THEN caller.label WHEN p_action = 'extend' THEN q.lease_label END,
    reserved_at = CASE WHEN p_action IN ('nack', 'release') THEN NULL ELSE q.reserved_at END,
    lease_expires_at = CASE WHEN p_action = 'extend' THEN now() + p_timeout_seconds * interval '1 second' END,
    delivered_at = CASE WHEN p_action = 'ack' THEN now() END,
    errored_at = CASE WHEN p_action = 'error' THEN now() END,
    error_reason = CASE WHEN p_action = 'error' THEN p_reason END,
    error_details = CASE WHEN p_action = 'error' THEN p_details END,
    nacks = q.nacks + (p_action = 'nack')::int,
    refusals = CASE p_action WHEN 'nack' THEN q.refusals + 1 WHEN 'extend' THEN q.refusals WHEN 'release' THEN q.refusals ELSE 0 END,
    not_before = CASE WHEN p_action = 'nack' AND p_backoff THEN now() + backoff_delay(q.refusals + 1) END
  WHERE q.post_id = p_post_id AND q.lease_id IS NOT NULL AND (p_lease IS NULL OR q.lease_id::text = ANY (string_to_array(p_lease, ',')))
    AND (cardinality(caller.stream_ids) = 0 OR q.stream_id = ANY (caller.stream_ids) OR q.lease_key_id = caller.key_id)
    AND (q.lease_key_id = caller.key_id OR p_scope = 'manage'
         OR queue_may_settle(caller.key_id, caller.member_id, q.lease_key_id, q.lease_member_id))
  RETURNING * INTO entry;
  IF FOUND THEN
    result.state := entry.state;
    result.lease_expires_at := coalesce(entry.lease_expires_at, entry.not_before);
    result.author_key := entry.author_key;
    IF p_action <> 'extend' THEN
      INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state, note, details)
      VALUES (p_post_id, caller.label, caller.member_id, caller.key_id, caller.source, p_action, 'reserved', entry.state,
              p_reason, p_details);
    END IF;
    RETURN result;
  END IF;

  -- The reservation is over, but no other consumer reserved the post since, so the late ack counts.
  IF p_action = 'ack' AND p_lease IS NOT NULL THEN
    UPDATE queue_entry q SET
      state = 'delivered', delivered_at = now(), refusals = 0, not_before = NULL,
      lease_key_id = caller.key_id, lease_member_id = caller.member_id, lease_label = caller.label,
      last_lease_id = NULL, last_lease_key_id = NULL, last_lease_member_id = NULL
    WHERE q.post_id = p_post_id AND q.state = 'pending' AND q.last_lease_id::text = ANY (string_to_array(p_lease, ','))
      AND (cardinality(caller.stream_ids) = 0 OR q.stream_id = ANY (caller.stream_ids) OR q.last_lease_key_id = caller.key_id)
      AND (q.last_lease_key_id = caller.key_id OR p_scope = 'manage'
           OR queue_may_settle(caller.key_id, caller.member_id, q.last_lease_key_id, q.last_lease_member_id))
    RETURNING * INTO entry;
    IF FOUND THEN
      result.state := entry.state;
      result.author_key := entry.author_key;
      INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state)
      VALUES (p_post_id, caller.label, caller.member_id, caller.key_id, caller.source, p_action, 'pending', entry.state);
      RETURN result;
    END IF;
  END IF;

  -- Nothing was updated: find the reason.
  SELECT coalesce(q.state, CASE WHEN p.approved IS NULL THEN 'unreviewed' ELSE 'rejected' END)
    INTO result.state
    FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id
   WHERE p.id = p_post_id AND (cardinality(caller.stream_ids) = 0 OR p.stream_id = ANY (caller.stream_ids)
                         OR q.lease_key_id = caller.key_id);
  IF NOT FOUND THEN
    result.outcome := 'not_found';
  ELSIF result.state = 'reserved' THEN
    result.outcome := 'stale';
  ELSE
    result.outcome := 'conflict';
  END IF;
  RETURN result;
END $$;

-- ack or nack of several posts. Never waits. outcome: ok, invalid_key, forbidden, or alone: the caller has to call
-- queue_settle (key bound to streams, post not reserved, other lease or holder, or entry locked).
CREATE OR REPLACE FUNCTION queue_settle_many(p_keys text[], p_post_ids integer[], p_leases text[], p_action text, p_backoff boolean)
RETURNS SETOF queue_settlement LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off AS $$
DECLARE
  callers queue_caller[] := queue_identify_many(p_keys, 'consume');
BEGIN
  IF p_action NOT IN ('ack', 'nack') THEN RAISE EXCEPTION 'not a move for many: %', p_action; END IF;
  RETURN QUERY
  WITH asked AS MATERIALIZED (
    SELECT a.position, a.post_id, a.lease, (callers[a.position]).*
      FROM unnest(p_post_ids, p_leases) WITH ORDINALITY a (post_id, lease, position)
  ), free AS MATERIALIZED (
    SELECT q.post_id, a.position, a.label, a.member_id, a.key_id, a.source
      FROM asked a JOIN queue_entry q ON q.post_id = a.post_id
     WHERE a.verdict = 'ok' AND cardinality(a.stream_ids) = 0
       AND q.lease_id IS NOT NULL AND (a.lease IS NULL OR q.lease_id::text = ANY (string_to_array(a.lease, ',')))
       AND q.lease_key_id = a.key_id
       FOR UPDATE OF q SKIP LOCKED
  ), settled AS (
    UPDATE queue_entry q SET
      state = CASE p_action WHEN 'ack' THEN 'delivered' ELSE 'pending' END,
      lease_id = NULL, lease_expires_at = NULL,
      lease_key_id = CASE p_action WHEN 'ack' THEN q.lease_key_id END,
      lease_member_id = CASE p_action WHEN 'ack' THEN q.lease_member_id END,
      lease_label = CASE p_action WHEN 'ack' THEN q.lease_label END,
      reserved_at = CASE p_action WHEN 'ack' THEN q.reserved_at END,
      delivered_at = CASE p_action WHEN 'ack' THEN now() END,
      nacks = q.nacks + (p_action = 'nack')::int,
      refusals = CASE p_action WHEN 'ack' THEN 0 ELSE q.refusals + 1 END,
      not_before = CASE WHEN p_action = 'nack' AND p_backoff THEN now() + backoff_delay(q.refusals + 1) END
      FROM free f WHERE q.post_id = f.post_id AND q.lease_id IS NOT NULL AND q.lease_key_id = f.key_id
    RETURNING f.position, q.post_id, q.state, q.author_key, q.not_before, f.label, f.member_id, f.key_id, f.source
  ), logged AS (
    INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state)
    SELECT s.post_id, s.label, s.member_id, s.key_id, s.source, p_action, 'reserved', s.state FROM settled s
  )
  SELECT CASE WHEN s.position IS NOT NULL THEN 'ok' WHEN a.verdict <> 'ok' THEN a.verdict ELSE 'alone' END,
         a.key_id, a.stale_use, s.state, s.not_before, s.author_key
    FROM asked a LEFT JOIN settled s ON s.position = a.position ORDER BY a.position;
END $$;
