-- Messages to webhooks, written in the transaction of the event (lib/webhooks).

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

-- One message for a statement: a batch of a thousand approvals is one event.
CREATE OR REPLACE FUNCTION webhook_approved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM webhook) THEN RETURN NULL; END IF;
  INSERT INTO webhook_delivery (webhook_id, event, data)
  SELECT w.id, 'post.approved', jsonb_build_object('post_ids', jsonb_agg(q.post_id ORDER BY q.post_id))
    FROM webhooks_for('post.approved') w, new_rows q
   WHERE q.state = 'pending' AND (cardinality(w.stream_ids) = 0 OR q.stream_id = ANY (w.stream_ids))
   GROUP BY w.id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER queue_webhook_insert AFTER INSERT ON queue_entry
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION webhook_approved();
