-- The only place where posts lose their content: text, earlier versions, media addresses, and texts about them in
-- other tables. Ids, URIs, states, times and counters stay (docs/decisions/0029-forgetting.md).

-- Deletes posts and writes a tombstone for each. Returns the number of deleted posts. p_reason: cleanup, trim, deleted,
-- opt_out, rejected, unreviewed, failed.
CREATE OR REPLACE FUNCTION delete_posts(p_ids integer[], p_reason text) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  n integer;
BEGIN
  -- Locks in the order of reviews: posts by id, then queue entries.
  PERFORM FROM post WHERE id = ANY (p_ids) ORDER BY id FOR UPDATE;
  PERFORM FROM queue_entry WHERE post_id = ANY (p_ids) ORDER BY post_id FOR UPDATE;
  -- Tells consumers (GET /curated/withdrawn).
  IF p_reason IN ('deleted', 'opt_out') THEN PERFORM erase_posts(p_ids); END IF;
  PERFORM unlearn(p_ids, p_reason IN ('cleanup', 'trim', 'rejected', 'unreviewed', 'failed'), CASE p_reason
    WHEN 'opt_out' THEN ARRAY(SELECT DISTINCT author_key FROM post WHERE id = ANY (p_ids)) ELSE '{}' END);
  INSERT INTO tally_delta (event, stream_id, n)
  SELECT 'trimmed', coalesce(stream_id, 0), count(*) FROM post WHERE p_reason = 'trim' AND id = ANY (p_ids) GROUP BY 2;
  WITH deleted AS (DELETE FROM post WHERE id = ANY (p_ids) RETURNING uri)
  INSERT INTO tombstone (uri_hmac, reason) SELECT uri_hmac(uri), p_reason FROM deleted
  ON CONFLICT (uri_hmac) DO UPDATE SET reason = excluded.reason, dropped = false, at = now();
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

-- Empties posts that are deleted or no longer public at their own server; their rows stay. Idempotent.
CREATE OR REPLACE FUNCTION erase_posts(p_ids integer[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  -- Once for each post that a consumer had.
  INSERT INTO post_event (post_id, actor, source, action)
  SELECT id, 'Sluice', 'service', 'withdrawn' FROM post p
   WHERE id = ANY (p_ids) AND erased_at IS NULL AND EXISTS (SELECT FROM post_event WHERE post_id = p.id AND action = 'reserve')
   ORDER BY id;
  UPDATE post SET erased_at = now(), updated_at = now(), content = '', plain_text = '', snippet = '', search = '',
         author_display_name = NULL, author_avatar_url = NULL, hashtags = '{}', hashtags_folded = '{}', related = '{}', media = '[]',
         media_count = 0, spoiler_text = NULL, in_reply_to = NULL, poll = NULL, quote = NULL, card = NULL, emojis = NULL,
         reviewer_notes = NULL, ai_reasons = '[]', ai_checks = '[]', text_reason = NULL, text_fingerprint = NULL,
         classified_at = coalesce(classified_at, now()), differs_since = NULL
   WHERE id = ANY (p_ids) AND erased_at IS NULL;
  UPDATE queue_entry SET tags = '{}', topics = '', related = '{}', error_details = NULL, error_reason = CASE WHEN state = 'error' THEN '' END
   WHERE post_id = ANY (p_ids) AND (tags <> '{}' OR related <> '{}' OR error_details IS NOT NULL OR error_reason <> '');
  DELETE FROM picture_hash WHERE post_id = ANY (p_ids);
  DELETE FROM post_check WHERE post_id = ANY (p_ids);
  PERFORM unlearn(p_ids, false);
  PERFORM forget_quotes(p_ids);
END $$;

-- A trigger, so that every deletion removes the texts about its posts.
CREATE OR REPLACE FUNCTION forget_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Posts that delete_posts() has not unlearned: deleted by another statement, so nothing learnt of them stays.
  PERFORM unlearn(ARRAY(SELECT id FROM old_rows JOIN learnt ON post_id = id WHERE 0 = ANY (features)), false);
  PERFORM forget_quotes(ARRAY(SELECT id FROM old_rows));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_forget AFTER DELETE ON post
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_deleted();

-- Removes texts about posts that are deleted or erased in this transaction. The note of a batch, which its posts share, is
-- removed with the last of them.
CREATE OR REPLACE FUNCTION forget_quotes(p_ids integer[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  batches text[] := ARRAY(SELECT DISTINCT details ->> 'batch_id' FROM post_event
                           WHERE post_id = ANY (p_ids) AND action <> 'error' AND details ? 'batch_id');
BEGIN
  -- One transaction at a time: two would each see the other's post and leave the note of the batch.
  IF batches <> '{}' THEN PERFORM pg_advisory_xact_lock(7106); END IF;

  -- Keeps of notes the name of the filter, and what the service wrote: constants and names of keys. Removes the details of
  -- errors, which consumers wrote, and former queue entries, which no undo needs.
  UPDATE post_event e SET note = kept.note, details = kept.details, before = kept.before
    FROM (SELECT id, CASE source WHEN 'filter' THEN split_part(note, ': ', 1) WHEN 'service' THEN note END AS note,
                 (SELECT jsonb_object_agg(key, value)
                    FROM jsonb_each(CASE WHEN action <> 'error' AND jsonb_typeof(details) = 'object' THEN details ELSE '{}' END)
                   WHERE key IN ('batch_id', 'decision_id', 'decided_at', 'undoes', 'reject_reason_id')) AS details,
                 before - 'entry' AS before
            FROM post_event WHERE post_id = ANY (p_ids)) kept
   WHERE e.id = kept.id AND (e.note, e.details, e.before) IS DISTINCT FROM (kept.note, kept.details, kept.before);
  UPDATE reported_opt_out SET reason = '' WHERE post_id = ANY (p_ids) AND reason <> '';
  UPDATE post_event e SET note = NULL
   WHERE e.post_id = 0 AND e.note IS NOT NULL AND e.details ->> 'batch' = ANY (batches)
     AND NOT EXISTS (SELECT FROM post_event own JOIN post p ON p.id = own.post_id
                      WHERE own.details ->> 'batch_id' = e.details ->> 'batch' AND own.details ->> 'batch_id' IS NOT NULL
                        AND own.post_id <> 0 AND own.action <> 'error' AND p.erased_at IS NULL);
END $$;
