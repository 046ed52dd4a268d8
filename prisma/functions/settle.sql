-- The caller of a queue function. p_key_hash null: the member of a verified session. p_stream_id limits stream_ids further.
-- verdict: ok, invalid_key, forbidden, unknown_stream.
CREATE OR REPLACE FUNCTION queue_identify(
  p_key_hash bytea, p_member_id integer, p_label text, p_stream_id integer DEFAULT NULL
) RETURNS queue_caller LANGUAGE plpgsql STABLE AS $$
DECLARE
  caller queue_caller;
BEGIN
  IF p_key_hash IS NULL THEN
    caller := ROW('ok', NULL, p_member_id, p_label, 'screen', '{}'::integer[])::queue_caller;
  ELSE
    -- The roles of the scope "consume" in lib/base/http/permissions.ts.
    SELECT CASE WHEN 'consume' = ANY (k.scopes) AND m.role IN ('reviewer', 'admin') THEN 'ok' ELSE 'forbidden' END,
           k.id, k.created_by, k.name, 'api', k.stream_ids
      INTO caller
      FROM api_key k JOIN member m ON m.id = k.created_by
     WHERE k.key_hash = p_key_hash AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
       AND m.disabled_at IS NULL;
    caller.verdict := coalesce(caller.verdict, 'invalid_key');
  END IF;
  IF caller.verdict = 'ok' AND p_stream_id IS NOT NULL THEN
    IF NOT EXISTS (SELECT FROM stream WHERE id = p_stream_id) THEN caller.verdict := 'unknown_stream'; END IF;
    -- The stream that both allow; no stream has the id 0.
    caller.stream_ids := ARRAY[CASE WHEN cardinality(caller.stream_ids) = 0 OR p_stream_id = ANY (caller.stream_ids)
                                    THEN p_stream_id ELSE 0 END];
  END IF;
  RETURN caller;
END $$;

-- ack, nack, error or extend by a caller of queue_identify. Waits for another transaction that has locked the entry.
-- outcome: ok, the caller's verdict, not_found, conflict (with the state of the post), stale (the lease is none of p_leases,
-- which are separated by commas), limit (a lease ends at most 24 hours after it began). lease_expires_at: end of an
-- extended lease, or the time until which a nacked post is kept back.
CREATE OR REPLACE FUNCTION queue_settle(
  caller queue_caller, p_post_id integer, p_action text, p_leases text, p_reason text, p_details jsonb, p_timeout_seconds integer
) RETURNS queue_settlement LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off AS $$
DECLARE
  q queue_entry;
  result queue_settlement;
BEGIN
  result.outcome := caller.verdict;
  IF caller.verdict <> 'ok' THEN RETURN result; END IF;
  result.key_id := caller.key_id;
  SELECT * INTO q FROM queue_entry WHERE post_id = p_post_id FOR UPDATE;
  result.state := q.state;
  IF q.state IS NULL THEN
    SELECT CASE WHEN approved IS NULL THEN 'unreviewed' ELSE 'rejected' END INTO result.state FROM post WHERE id = p_post_id;
  END IF;
  result.outcome := CASE
    WHEN result.state IS NULL THEN 'not_found'
    WHEN result.state <> 'reserved' THEN 'conflict'
    WHEN q.lease_id::text <> ALL (string_to_array(p_leases, ',')) THEN 'stale'
    WHEN p_action = 'extend' AND q.lease_expires_at >= q.reserved_at + interval '24 hours' THEN 'limit'
    ELSE 'ok' END;
  IF result.outcome <> 'ok' THEN RETURN result; END IF;

  result.author_key := q.author_key;
  IF p_action = 'extend' THEN
    UPDATE queue_entry
       SET lease_expires_at = least(now() + p_timeout_seconds * interval '1 second', reserved_at + interval '24 hours')
     WHERE post_id = p_post_id RETURNING lease_expires_at INTO result.lease_expires_at;
    RETURN result;
  END IF;
  -- A delivered or failed post keeps the caller who settled it; a post that returns to the queue has none.
  UPDATE queue_entry SET
    state = CASE p_action WHEN 'ack' THEN 'delivered' WHEN 'error' THEN 'error' ELSE 'pending' END,
    lease_id = NULL, lease_expires_at = NULL,
    lease_key_id = CASE WHEN p_action <> 'nack' THEN caller.key_id END,
    lease_label = CASE WHEN p_action <> 'nack' THEN caller.label END,
    reserved_at = CASE WHEN p_action <> 'nack' THEN reserved_at END,
    delivered_at = CASE WHEN p_action = 'ack' THEN now() END,
    errored_at = CASE WHEN p_action = 'error' THEN now() END, error_reason = p_reason, error_details = p_details,
    nacks = nacks + (p_action = 'nack')::int,
    refusals = CASE WHEN p_action = 'nack' THEN refusals + 1 ELSE 0 END,
    not_before = CASE WHEN p_action = 'nack' THEN now() + backoff_delay(refusals + 1) END
   WHERE post_id = p_post_id RETURNING state, not_before INTO result.state, result.lease_expires_at;
  INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state, note, details)
  SELECT p_post_id, caller.label, caller.member_id, caller.key_id, caller.source, p_action, 'reserved', result.state,
         p_reason, p_details
  UNION ALL
  -- The post was withdrawn before its ack: consumers are told again.
  SELECT id, 'Sluice', NULL, NULL, 'service', 'withdrawn', NULL, NULL, NULL, NULL
    FROM post WHERE p_action = 'ack' AND id = p_post_id AND erased_at IS NOT NULL;
  RETURN result;
END $$;
