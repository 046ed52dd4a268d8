-- Messages to webhooks, written in the transaction of the event (lib/webhooks).

-- Webhooks that want an event. Those of a key end with the key.
CREATE OR REPLACE FUNCTION webhooks_for(p_event text)
RETURNS TABLE (id integer, stream_ids integer[]) LANGUAGE sql STABLE AS $$
  SELECT w.id, coalesce(k.stream_ids, '{}')
    FROM webhook w LEFT JOIN api_key k ON k.id = w.api_key_id JOIN member m ON m.id = w.created_by
   WHERE w.disabled_at IS NULL AND p_event = ANY (w.events) AND m.disabled_at IS NULL
     AND (w.api_key_id IS NULL OR (k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())))
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
