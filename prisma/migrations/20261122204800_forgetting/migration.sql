-- Forgetting (prisma/functions/forget.sql), keeping of undecided and decided posts, and dropped posts counted once.

-- Set when the content was erased, because the post is deleted or no longer public at its own server.
ALTER TABLE post ADD COLUMN erased_at timestamptz(3);

-- Days that posts are kept, beside RETENTION_DAYS for delivered ones. Null: for ever. One row.
CREATE TABLE retention_setting (
  id              integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  rejected_days   integer DEFAULT 90 CHECK (rejected_days BETWEEN 1 AND 36500),
  unreviewed_days integer CHECK (unreviewed_days BETWEEN 1 AND 36500),
  failed_days     integer CHECK (failed_days BETWEEN 1 AND 36500),
  updated_at      timestamptz(3) NOT NULL DEFAULT now()
);
INSERT INTO retention_setting DEFAULT VALUES;

-- Posts that were fetched and not stored, so that a post counts once. Holds an HMAC of the uri, as tombstone does.
CREATE TABLE dropped_post (
  uri_hmac bytea PRIMARY KEY,
  reason   text NOT NULL,
  first_at timestamptz(3) NOT NULL DEFAULT now(),
  seen_at  timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX dropped_post_seen_idx ON dropped_post (seen_at);

-- Whether any post still has an error of this text.
CREATE INDEX post_event_error_idx ON post_event (left(note, 200)) WHERE action = 'error';

-- Existing data ---------------------------------------------------------------------------------------------------

-- The rules below are those of prisma/functions/forget.sql, which is not applied yet.
UPDATE post SET erased_at = now(), updated_at = now(), content = '', plain_text = '', snippet = '', search = '',
       author_display_name = NULL, author_avatar_url = NULL, hashtags = '{}', hashtags_folded = '{}', media = '[]',
       media_count = 0, spoiler_text = NULL, in_reply_to = NULL, poll = NULL, quote = NULL, card = NULL, emojis = NULL,
       reviewer_notes = NULL, ai_reasons = '[]', ai_checks = '[]', text_reason = NULL, text_fingerprint = NULL,
       classified_at = coalesce(classified_at, now()), differs_since = NULL
 WHERE auto_reject_reason IN ('gone', 'withdrawn') AND NOT approved;
DELETE FROM picture_hash WHERE post_id IN (SELECT id FROM post WHERE erased_at IS NOT NULL);
DELETE FROM error_batch_entry WHERE post_id IN (SELECT id FROM post WHERE erased_at IS NOT NULL);
DELETE FROM error_batch b
 WHERE kind <> 'review' AND NOT EXISTS (SELECT FROM error_batch_entry WHERE batch_id = b.id);

UPDATE post_event e SET note = kept.note, details = kept.details
  FROM (SELECT id, CASE source WHEN 'filter' THEN split_part(note, ': ', 1) WHEN 'service' THEN note END AS note,
               (SELECT jsonb_object_agg(key, value)
                  FROM jsonb_each(CASE WHEN action <> 'error' AND jsonb_typeof(details) = 'object' THEN details ELSE '{}' END)
                 WHERE key IN ('batch_id', 'decision_id', 'decided_at', 'undoes')) AS details
          FROM post_event l
         WHERE post_id <> 0 AND (note IS NOT NULL OR details IS NOT NULL)
           AND NOT EXISTS (SELECT FROM post p WHERE p.id = l.post_id AND p.erased_at IS NULL)) kept
 WHERE e.id = kept.id AND (e.note, e.details) IS DISTINCT FROM (kept.note, kept.details);

WITH emptied AS (
  UPDATE review_batch SET note = NULL, filter = filter - '{q,error_reason}'::text[]
   WHERE (note IS NOT NULL OR filter ?| '{q,error_reason}')
     AND NOT EXISTS (SELECT FROM post p WHERE p.id = ANY (was_unreviewed || was_rejected || was_approved)
                                          AND p.erased_at IS NULL)
  RETURNING id
)
UPDATE post_event e SET note = NULL FROM emptied
 WHERE e.post_id = 0 AND e.note IS NOT NULL AND e.details ->> 'batch' = emptied.id::text;

UPDATE blocked_user b SET notes = 'Opted out'
  FROM reported_opt_out o
 WHERE o.author_key = b.account_identifier AND b.notes LIKE 'Opted out: %'
   AND NOT EXISTS (SELECT FROM post p WHERE p.id = o.post_id AND p.erased_at IS NULL);
UPDATE reported_opt_out o SET reason = ''
 WHERE post_id IS NOT NULL AND NOT EXISTS (SELECT FROM post p WHERE p.id = o.post_id AND p.erased_at IS NULL);
-- A consumer's words; the report itself shows them while it is open.
UPDATE audit_event SET before = before - 'reason', after = after - 'reason' WHERE action LIKE 'opt\_out.%';

-- Error texts that no post has any more. Both tables, because deltas may not be compacted yet.
UPDATE stat_delta SET reason = 'text deleted with the post'
 WHERE kind = 'error' AND NOT EXISTS (SELECT FROM post_event WHERE action = 'error' AND left(note, 200) = reason);
WITH moved AS (
  DELETE FROM stat_reason
   WHERE kind = 'error' AND NOT EXISTS (SELECT FROM post_event WHERE action = 'error' AND left(note, 200) = reason)
  RETURNING day, n
)
INSERT INTO stat_reason AS t (day, kind, reason, n)
SELECT day, 'error', 'text deleted with the post', sum(n) FROM moved GROUP BY day
ON CONFLICT (kind, day, reason) DO UPDATE SET n = t.n + excluded.n;

-- Dropped posts were counted at each fetch. Refused ones are known by URI and are counted again, on the day of the
-- refusal. Of the others (filters of streams, unreadable posts) only the sums exist: they are kept under another name
-- and shown no more.
UPDATE stat_reason SET kind = 'dropped_readings' WHERE kind = 'dropped';
UPDATE stat_delta SET kind = 'dropped_readings' WHERE kind = 'dropped';
INSERT INTO stat_reason (day, kind, reason, n)
SELECT (at AT TIME ZONE 'UTC')::date, 'dropped', CASE rule WHEN 'visibility' THEN 'not_public' ELSE rule END, count(*)
  FROM consent_drop WHERE stream_id IS NOT NULL GROUP BY 1, 3;
-- EXECUTE: the function exists wherever there are rows, and not in an empty database.
DO $$ BEGIN
  IF EXISTS (SELECT FROM consent_drop) THEN
    EXECUTE 'INSERT INTO dropped_post (uri_hmac, reason, first_at, seen_at)
             SELECT uri_hmac(uri), CASE rule WHEN ''visibility'' THEN ''not_public'' ELSE rule END, at, now()
               FROM consent_drop WHERE stream_id IS NOT NULL';
  END IF;
END $$;
