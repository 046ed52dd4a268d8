-- Posts are handed out only while their own server showed them lately (CONFIRM_WITHIN_HOURS).

-- Time of the last confirmation, and the server that gave it: the post's own one, or the one that showed the post.
ALTER TABLE post ADD COLUMN confirmed_at timestamptz(3), ADD COLUMN confirmed_by text;
-- A copy of post.confirmed_at; 1970 for never. Not null, so that one range of the index has all expired entries.
ALTER TABLE queue_entry ADD COLUMN confirmed_at timestamptz(3) NOT NULL DEFAULT '1970-01-01T00:00:00Z';

-- Only posts fetched within the longest usual setting count as confirmed. The date is that of the first fetch, so
-- this errs on the old side.
UPDATE post SET confirmed_at = fetched_at, confirmed_by = lower(split_part(uri, '/', 3))
 WHERE from_home AND fetched_at > now() - interval '2 days';
UPDATE queue_entry q SET confirmed_at = p.confirmed_at
  FROM post p WHERE p.id = q.post_id AND p.confirmed_at IS NOT NULL AND p.fetched_at > now() - interval '2 days';

-- Hold bits, in order of precedence: 1 blocked user, 2 blocked hashtag, 4 unconfirmed, 8 unverifiable, 16 differs,
-- 32 opt-out reported, 64 no https address. "unconfirmed" is new; the bits above it move up.
UPDATE queue_entry SET holds = (holds & 3) | ((holds & ~3) << 1) WHERE holds > 3;
DROP INDEX queue_entry_unverifiable_idx;

-- A source check that is due or under way. A row exists only while a check is wanted. due_at of a claimed row is the
-- end of the claim.
CREATE TABLE source_check (
  post_id  integer PRIMARY KEY REFERENCES post ON DELETE CASCADE,
  -- Server that is asked first.
  host     text NOT NULL,
  due_at   timestamptz(3) NOT NULL DEFAULT now(),
  -- Failed checks in a row.
  failures smallint NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
CREATE INDEX source_check_due_idx ON source_check (due_at);
CREATE INDEX source_check_host_idx ON source_check (host, due_at);
INSERT INTO source_check (post_id, host)
  SELECT p.id, lower(split_part(p.uri, '/', 3))
    FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id
   WHERE (q.state = 'pending' AND q.holds & 24 <> 0) OR p.differs_since IS NOT NULL
      OR (p.source_missing_at IS NOT NULL AND p.approved IS NOT FALSE);

-- Kinds of reservations in use, for the source checks ahead of them.
CREATE TABLE queue_use (
  kind    text PRIMARY KEY CHECK (kind IN ('oldest', 'random', 'topical', 'topical_random')),
  used_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Confirmations that expire.
CREATE INDEX queue_entry_confirmed_idx ON queue_entry (confirmed_at)
  WHERE state = 'pending' AND holds = 0 AND not_before IS NULL;
-- Entries that are eligible once they are confirmed, in the orders of a reserve.
CREATE INDEX queue_entry_ahead_idx ON queue_entry (missing, approved_at, post_id)
  WHERE state = 'pending' AND holds & ~4 = 0 AND not_before IS NULL;
CREATE INDEX queue_entry_ahead_random_idx ON queue_entry (missing, random_key)
  WHERE state = 'pending' AND holds & ~4 = 0 AND not_before IS NULL;
CREATE INDEX queue_entry_ahead_stream_idx ON queue_entry (stream_id, missing, approved_at, post_id)
  WHERE state = 'pending' AND holds & ~4 = 0 AND not_before IS NULL;
CREATE INDEX queue_entry_ahead_stream_random_idx ON queue_entry (stream_id, missing, random_key)
  WHERE state = 'pending' AND holds & ~4 = 0 AND not_before IS NULL;
CREATE INDEX queue_entry_ahead_author_idx ON queue_entry (author_key, approved_at, post_id)
  WHERE state = 'pending' AND holds & ~4 = 0 AND not_before IS NULL;
-- Unconfirmed ones, to lift the hold when CONFIRM_WITHIN_HOURS becomes 0.
CREATE INDEX queue_entry_unconfirmed_idx ON queue_entry (post_id) WHERE state = 'pending' AND holds & 4 <> 0;

-- queue_topic has unconfirmed entries too. ready: eligible now.
ALTER TABLE queue_topic ADD COLUMN ready boolean NOT NULL DEFAULT true;
DROP INDEX queue_topic_due_idx, queue_topic_stream_idx, queue_topic_random_idx, queue_topic_stream_random_idx;
CREATE INDEX queue_topic_due_idx ON queue_topic (tag, missing, approved_at, post_id) WHERE ready;
CREATE INDEX queue_topic_stream_idx ON queue_topic (tag, stream_id, missing, approved_at, post_id) WHERE ready;
CREATE INDEX queue_topic_random_idx ON queue_topic (tag, missing, random_key) INCLUDE (post_id) WHERE ready;
CREATE INDEX queue_topic_stream_random_idx ON queue_topic (tag, stream_id, missing, random_key) INCLUDE (post_id)
  WHERE ready;
CREATE INDEX queue_topic_ahead_idx ON queue_topic (tag, missing, approved_at, post_id);
CREATE INDEX queue_topic_ahead_random_idx ON queue_topic (tag, missing, random_key);
