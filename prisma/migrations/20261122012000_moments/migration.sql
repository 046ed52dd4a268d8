-- Lists by what happened when (GET /posts?happened=): the posts behind each figure of the statistics. Each index brings
-- a range in its order and carries what the figures tell apart, so that it is counted without touching a post. None of
-- these columns changes but by a review, which writes every index of its row as it is: five entries more, about a fifth.

-- Fetched, in all and by stream.
CREATE INDEX post_fetched_idx ON post (fetched_at DESC, id DESC);
CREATE INDEX post_stream_fetched_idx ON post (stream_id, fetched_at DESC, id DESC);
-- Decided: in all, by stream, by reviewer. fetched_at is for how long a post waited.
CREATE INDEX post_decided_idx ON post (reviewed_at DESC, id DESC)
  INCLUDE (approved, auto_reject_reason, fetched_at) WHERE approved IS NOT NULL;
CREATE INDEX post_stream_decided_idx ON post (stream_id, reviewed_at DESC, id DESC)
  INCLUDE (approved, auto_reject_reason) WHERE approved IS NOT NULL;
CREATE INDEX post_reviewer_idx ON post (reviewed_by_member, reviewed_at DESC, id DESC)
  INCLUDE (approved, auto_reject_reason, reviewed_by) WHERE approved IS NOT NULL AND reviewed_by_member IS NOT NULL;
-- Delivered: in place of the index that cleanup walks, which this one serves as well.
DROP INDEX queue_entry_delivered_idx;
CREATE INDEX queue_entry_delivered_idx ON queue_entry (delivered_at, post_id) INCLUDE (stream_id, approved_at)
  WHERE state = 'delivered';
-- In error.
CREATE INDEX queue_entry_errored_idx ON queue_entry (errored_at, post_id) INCLUDE (stream_id) WHERE state = 'error';

-- A delivery and an error count for the hour and day that stand in the entry. That is now() but for its last digits:
-- columns keep milliseconds, rounded, and the last half of a day's last millisecond is the next day's first.
CREATE OR REPLACE FUNCTION count_queue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_delta (hour, stream_id, pending, reserved, delivered, error, deliveries, errors, nacks, timeouts)
  VALUES (
    date_trunc('hour', coalesce(CASE NEW.state WHEN 'delivered' THEN NEW.delivered_at WHEN 'error' THEN NEW.errored_at END,
                                now()), 'UTC'),
    coalesce(NEW.stream_id, 0),
    (NEW.state = 'pending')::int - (OLD.state = 'pending')::int,
    (NEW.state = 'reserved')::int - (OLD.state = 'reserved')::int,
    (NEW.state = 'delivered')::int - (OLD.state = 'delivered')::int,
    (NEW.state = 'error')::int - (OLD.state = 'error')::int,
    (NEW.state = 'delivered')::int, (NEW.state = 'error')::int,
    NEW.nacks - OLD.nacks, NEW.timeouts - OLD.timeouts
  );
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION stat_queue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state = 'delivered' THEN
    INSERT INTO stat_delta (day, kind, stream_id, instance, wait, n)
    VALUES ((NEW.delivered_at AT TIME ZONE 'UTC')::date, 'delivery', coalesce(NEW.stream_id, 0),
            substring(NEW.author_key FROM '[^@]*$'), wait_bucket(NEW.delivered_at - NEW.approved_at), 1);
  ELSE
    INSERT INTO stat_delta (day, kind, reason, n)
    VALUES ((coalesce(NEW.errored_at, now()) AT TIME ZONE 'UTC')::date, 'error', left(NEW.error_reason, 200), 1);
  END IF;
  RETURN NULL;
END $$;
