-- What ack, nack, error, extend and release do, as before; but "reserved" is asked as "has a lease", which is the same
-- (a check of the table). Asked by the state, a planner that has last counted the rows when few were reserved, which is
-- nearly always, finds one row in queue_entry_state_idx as likely as the one of the primary key, and each ack then
-- walked all reservations, and those before them that no vacuum had taken away yet: a hundred blocks for every twelve
-- thousand.
CREATE OR REPLACE FUNCTION queue_settle(
  p_key_hash bytea, p_member_id integer, p_label text, p_scope text, p_post_id integer, p_move text, p_lease text,
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
    state = CASE p_move WHEN 'ack' THEN 'delivered' WHEN 'error' THEN 'error' WHEN 'extend' THEN 'reserved' ELSE 'pending' END,
    lease_id = CASE WHEN p_move = 'extend' THEN q.lease_id END,
    -- Who had it last stays on a settled post; a post that waits again is nobody's.
    lease_key_id = CASE WHEN p_move IN ('nack', 'release') THEN NULL ELSE q.lease_key_id END,
    lease_member_id = CASE WHEN p_move IN ('nack', 'release') THEN NULL ELSE q.lease_member_id END,
    lease_label = CASE WHEN p_move IN ('nack', 'release') THEN NULL ELSE q.lease_label END,
    reserved_at = CASE WHEN p_move IN ('nack', 'release') THEN NULL ELSE q.reserved_at END,
    lease_expires_at = CASE WHEN p_move = 'extend' THEN now() + p_timeout_seconds * interval '1 second' END,
    delivered_at = CASE WHEN p_move = 'ack' THEN now() END,
    errored_at = CASE WHEN p_move = 'error' THEN now() END,
    error_reason = CASE WHEN p_move = 'error' THEN p_reason END,
    error_details = CASE WHEN p_move = 'error' THEN p_details END,
    nacks = q.nacks + (p_move = 'nack')::int,
    refusals = CASE p_move WHEN 'nack' THEN q.refusals + 1 WHEN 'extend' THEN q.refusals WHEN 'release' THEN q.refusals ELSE 0 END,
    not_before = CASE WHEN p_move = 'nack' AND p_backoff THEN now() + refusal_pause(q.refusals + 1) END
  WHERE q.post_id = p_post_id AND q.lease_id IS NOT NULL AND (p_lease IS NULL OR q.lease_id::text = ANY (string_to_array(p_lease, ',')))
    AND (cardinality(caller.stream_ids) = 0 OR q.stream_id = ANY (caller.stream_ids))
  RETURNING * INTO entry;
  IF FOUND THEN
    result.state := entry.state;
    result.lease_expires_at := entry.lease_expires_at;
    result.author_key := entry.author_key;
    IF p_move <> 'extend' THEN
      INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state, note, details)
      VALUES (p_post_id, caller.label, caller.member_id, caller.key_id, caller.source, p_move, 'reserved', entry.state,
              p_reason, p_details);
    END IF;
    RETURN result;
  END IF;

  -- Nothing changed: look once and say why.
  SELECT coalesce(q.state, CASE WHEN p.approved IS NULL THEN 'unreviewed' ELSE 'rejected' END)
    INTO result.state
    FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id
   WHERE p.id = p_post_id AND (cardinality(caller.stream_ids) = 0 OR p.stream_id = ANY (caller.stream_ids));
  IF NOT FOUND THEN
    result.outcome := 'not_found';
  ELSIF result.state = 'reserved' THEN
    result.outcome := 'stale';
  ELSE
    result.outcome := 'conflict';
  END IF;
  RETURN result;
END $$;
