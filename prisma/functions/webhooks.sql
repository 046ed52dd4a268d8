-- Messages to webhooks (lib/webhooks).

-- Webhooks that may be told about an event now. Those of a key end with the key. Without a key, or for a key of another
-- member, the member who made it must still be an admin (lib/webhooks/webhooks.ts).
CREATE OR REPLACE FUNCTION webhooks_for(p_event text)
RETURNS TABLE (id integer, stream_ids integer[]) LANGUAGE sql STABLE AS $$
  SELECT w.id, coalesce(k.stream_ids, '{}')
    FROM webhook w JOIN member m ON m.id = w.created_by
    LEFT JOIN (api_key k JOIN member o ON o.id = k.created_by) ON k.id = w.api_key_id
   WHERE w.disabled_at IS NULL AND p_event = ANY (w.events) AND m.disabled_at IS NULL
     AND (w.api_key_id IS NULL
          OR (k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND o.disabled_at IS NULL))
     AND (k.created_by = w.created_by OR role_grants(m.role, 'manage'))
$$;

-- The end of the last hold since the approval. A trigger, so that no end of a hold can omit the line.
CREATE OR REPLACE FUNCTION record_available() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.held_since_approval := false;
  INSERT INTO post_event (post_id, actor, source, action, from_state, to_state)
  VALUES (NEW.post_id, 'Sluice', 'service', 'available', NEW.state, NEW.state);
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER queue_record_available BEFORE UPDATE OF holds ON queue_entry FOR EACH ROW
  WHEN (OLD.held_since_approval AND NEW.holds = 0) EXECUTE FUNCTION record_available();

-- Writes messages from log lines: post.approved of approvals without a hold and of the end of the last hold, post.error,
-- post.withdrawn. One message for each transaction and event, in log order. The cursor is a snapshot: a line counts as new when the
-- cursor does not see its transaction, so a line that is committed late is read too, and no open transaction delays others.
CREATE OR REPLACE FUNCTION tell_available() RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  former pg_snapshot;
  present pg_snapshot;
BEGIN
  -- One reader at a time. A statement of its own: the next one sees the cursor of the former reader.
  IF NOT pg_try_advisory_xact_lock(7108) THEN RETURN; END IF;
  SELECT webhook_cursor, pg_current_snapshot() INTO former, present FROM installation;
  IF pg_snapshot_xmax(former) > pg_snapshot_xmax(present) THEN
    -- The rows were copied from a cluster with higher transaction ids. All count as read.
    UPDATE post_event SET xid = '0'
     WHERE (to_state = 'pending' AND (action = 'available' OR from_state IN ('unreviewed', 'rejected'))
            OR action IN ('error', 'withdrawn'))
       AND xid >= pg_snapshot_xmax(present);
    UPDATE installation SET webhook_cursor = present;
    RETURN;
  END IF;
  WITH line AS MATERIALIZED (
    SELECT id, xid, post_id, at, action,
           CASE action WHEN 'error' THEN 'post.error' WHEN 'withdrawn' THEN 'post.withdrawn' ELSE 'post.approved' END AS event,
           CASE action WHEN 'withdrawn' THEN (details ->> 'stream_id')::int END AS stream_id
      FROM post_event
     WHERE (to_state = 'pending' AND (action = 'available' OR from_state IN ('unreviewed', 'rejected'))
            OR action IN ('error', 'withdrawn'))
       AND xid >= pg_snapshot_xmin(former)
       AND NOT pg_visible_in_snapshot(xid, former) AND pg_visible_in_snapshot(xid, present)
  ), listener AS MATERIALIZED (
    SELECT e.event, w.id, w.stream_ids, h.approvals_since
      FROM unnest(ARRAY['post.approved', 'post.error', 'post.withdrawn']) e (event), webhooks_for(e.event) w
      JOIN webhook h ON h.id = w.id
  ), moved AS (
    UPDATE installation SET webhook_cursor = present WHERE EXISTS (SELECT FROM line)
  )
  INSERT INTO webhook_delivery (webhook_id, event, data, created_at)
  SELECT w.id, w.event, jsonb_build_object('post_ids', jsonb_agg(DISTINCT l.post_id)), min(l.at)
    FROM line l JOIN listener w ON w.event = l.event LEFT JOIN queue_entry q ON q.post_id = l.post_id
   -- The line may be read after a webhook was added or enabled.
   WHERE l.at >= w.approvals_since
     AND (cardinality(w.stream_ids) = 0 OR coalesce(l.stream_id, q.stream_id) = ANY (w.stream_ids))
     -- A withdrawn post may have been deleted.
     AND (l.action = 'withdrawn' OR q.post_id IS NOT NULL)
     AND (l.event <> 'post.approved' OR l.action = 'available' OR NOT q.held_since_approval AND NOT EXISTS (
            SELECT FROM post_event e WHERE e.post_id = l.post_id AND e.id > l.id AND e.action = 'available'))
   GROUP BY w.id, w.event, l.xid
   ORDER BY min(l.id), w.id;
END $$;
