-- Counters by stream and by host. Triggers append delta rows and compact_counters() adds them up, so that there is no
-- hot row. Reviews count in the hour of reviewed_at: a changed review moves the count, an undo removes it
-- (docs/decisions/0008-counters.md).

CREATE OR REPLACE FUNCTION count_post_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_delta (hour, stream_id, instance, posts, approved, rejected, unreviewed, with_media, fetched)
  SELECT date_trunc('hour', fetched_at, 'UTC'), coalesce(stream_id, 0), instance,
         count(*), count(*) FILTER (WHERE approved), count(*) FILTER (WHERE NOT approved),
         count(*) FILTER (WHERE approved IS NULL), count(*) FILTER (WHERE media_count > 0), count(*)
  FROM new_rows GROUP BY 1, 2, 3;

  -- Rejected by a filter on arrival.
  INSERT INTO counter_delta (hour, stream_id, reviews, approvals, rejections, auto_rejected)
  SELECT date_trunc('hour', reviewed_at, 'UTC'), coalesce(stream_id, 0),
         count(*), count(*) FILTER (WHERE approved), count(*) FILTER (WHERE NOT approved),
         count(*) FILTER (WHERE NOT approved AND auto_reject_reason IS NOT NULL)
  FROM new_rows WHERE approved IS NOT NULL GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_count_insert AFTER INSERT ON post
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_post_insert();

CREATE OR REPLACE FUNCTION count_post_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_delta (stream_id, instance, posts, approved, rejected, unreviewed, with_media)
  SELECT coalesce(stream_id, 0), instance, -count(*), -count(*) FILTER (WHERE approved),
         -count(*) FILTER (WHERE NOT approved), -count(*) FILTER (WHERE approved IS NULL),
         -count(*) FILTER (WHERE media_count > 0)
  FROM old_rows GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_count_delete AFTER DELETE ON post
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_post_delete();

CREATE OR REPLACE FUNCTION count_post_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_delta (stream_id, instance, posts, approved, rejected, unreviewed, with_media)
  SELECT s, i, sum(n), sum(n * (a IS TRUE)::int), sum(n * (a IS FALSE)::int), sum(n * (a IS NULL)::int), sum(n * m::int)
  FROM (
    SELECT coalesce(stream_id, 0) AS s, instance AS i, approved AS a, media_count > 0 AS m, 1 AS n FROM new_rows
    UNION ALL
    SELECT coalesce(stream_id, 0), instance, approved, media_count > 0, -1 FROM old_rows
  ) change
  GROUP BY s, i
  HAVING sum(n) <> 0 OR sum(n * (a IS TRUE)::int) <> 0 OR sum(n * (a IS FALSE)::int) <> 0
      OR sum(n * (a IS NULL)::int) <> 0 OR sum(n * m::int) <> 0;

  INSERT INTO counter_delta (hour, stream_id, reviews, approvals, rejections, auto_rejected)
  SELECT h, s, sum(n), sum(n * a::int), sum(n * (NOT a)::int), sum(n * auto::int)
  FROM (
    SELECT date_trunc('hour', reviewed_at, 'UTC') AS h, coalesce(stream_id, 0) AS s, approved AS a,
           NOT approved AND auto_reject_reason IS NOT NULL AS auto, 1 AS n
    FROM new_rows WHERE approved IS NOT NULL
    UNION ALL
    SELECT date_trunc('hour', reviewed_at, 'UTC'), coalesce(stream_id, 0), approved,
           NOT approved AND auto_reject_reason IS NOT NULL, -1
    FROM old_rows WHERE approved IS NOT NULL
  ) change
  GROUP BY h, s
  HAVING sum(n) <> 0 OR sum(n * a::int) <> 0 OR sum(n * (NOT a)::int) <> 0 OR sum(n * auto::int) <> 0;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_count_update AFTER UPDATE ON post
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_post_update();

CREATE OR REPLACE FUNCTION count_queue_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign CONSTANT integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO counter_delta (stream_id, pending, reserved, delivered, error)
  SELECT coalesce(stream_id, 0), sign * count(*) FILTER (WHERE state = 'pending'),
         sign * count(*) FILTER (WHERE state = 'reserved'), sign * count(*) FILTER (WHERE state = 'delivered'),
         sign * count(*) FILTER (WHERE state = 'error')
  FROM affected_rows GROUP BY 1;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER queue_count_insert AFTER INSERT ON queue_entry
  REFERENCING NEW TABLE AS affected_rows FOR EACH STATEMENT EXECUTE FUNCTION count_queue_rows();
CREATE OR REPLACE TRIGGER queue_count_delete AFTER DELETE ON queue_entry
  REFERENCING OLD TABLE AS affected_rows FOR EACH STATEMENT EXECUTE FUNCTION count_queue_rows();

-- A row trigger, because reserve and ack change one row, and a transition table costs more than the count. The hour
-- is that of the stored time: columns round to milliseconds, possibly into the next hour.
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
CREATE OR REPLACE TRIGGER queue_count_change AFTER UPDATE ON queue_entry FOR EACH ROW
  WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION count_queue_change();

-- The stream was deleted: the entry counts under "no stream".
CREATE OR REPLACE FUNCTION count_queue_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_delta (stream_id, pending, reserved, delivered, error)
  SELECT coalesce(s, 0), n * (NEW.state = 'pending')::int, n * (NEW.state = 'reserved')::int,
         n * (NEW.state = 'delivered')::int, n * (NEW.state = 'error')::int
  FROM (VALUES (OLD.stream_id, -1), (NEW.stream_id, 1)) move (s, n);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER queue_count_move AFTER UPDATE ON queue_entry FOR EACH ROW
  WHEN (NEW.stream_id IS DISTINCT FROM OLD.stream_id AND NEW.state = OLD.state) EXECUTE FUNCTION count_queue_move();

-- Returns the number of deltas; 0 when another process is compacting.
CREATE OR REPLACE FUNCTION compact_counters(p_limit integer DEFAULT 50000) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  done integer;
  changed timestamptz[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(7103) THEN RETURN 0; END IF;
  WITH taken AS (
    DELETE FROM counter_delta WHERE id IN (SELECT id FROM counter_delta ORDER BY id LIMIT p_limit) RETURNING *
  ), totals AS (
    INSERT INTO counter_total AS t (stream_id, posts, approved, rejected, unreviewed, with_media, pending, reserved,
      delivered, error, fetched, reviews, approvals, rejections, auto_rejected, deliveries, errors, nacks, timeouts, trimmed)
    SELECT stream_id, sum(posts), sum(approved), sum(rejected), sum(unreviewed), sum(with_media), sum(pending),
      sum(reserved), sum(delivered), sum(error), sum(fetched), sum(reviews), sum(approvals), sum(rejections),
      sum(auto_rejected), sum(deliveries), sum(errors), sum(nacks), sum(timeouts), sum(trimmed)
    FROM taken GROUP BY stream_id
    ON CONFLICT (stream_id) DO UPDATE SET
      posts = t.posts + excluded.posts, approved = t.approved + excluded.approved,
      rejected = t.rejected + excluded.rejected, unreviewed = t.unreviewed + excluded.unreviewed,
      with_media = t.with_media + excluded.with_media, pending = t.pending + excluded.pending,
      reserved = t.reserved + excluded.reserved, delivered = t.delivered + excluded.delivered,
      error = t.error + excluded.error, fetched = t.fetched + excluded.fetched, reviews = t.reviews + excluded.reviews,
      approvals = t.approvals + excluded.approvals, rejections = t.rejections + excluded.rejections,
      auto_rejected = t.auto_rejected + excluded.auto_rejected, deliveries = t.deliveries + excluded.deliveries,
      errors = t.errors + excluded.errors, nacks = t.nacks + excluded.nacks, timeouts = t.timeouts + excluded.timeouts,
      trimmed = t.trimmed + excluded.trimmed
  ), hours AS (
    INSERT INTO counter_hour AS h (hour, stream_id, fetched, reviews, approvals, rejections, auto_rejected, deliveries,
      errors, nacks, timeouts, trimmed)
    SELECT hour, stream_id, sum(fetched), sum(reviews), sum(approvals), sum(rejections), sum(auto_rejected),
      sum(deliveries), sum(errors), sum(nacks), sum(timeouts), sum(trimmed)
    FROM taken GROUP BY hour, stream_id
    HAVING bool_or((fetched, reviews, approvals, rejections, auto_rejected, deliveries, errors, nacks, timeouts, trimmed)
                   <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    ON CONFLICT (hour, stream_id) DO UPDATE SET
      fetched = h.fetched + excluded.fetched, reviews = h.reviews + excluded.reviews,
      approvals = h.approvals + excluded.approvals, rejections = h.rejections + excluded.rejections,
      auto_rejected = h.auto_rejected + excluded.auto_rejected, deliveries = h.deliveries + excluded.deliveries,
      errors = h.errors + excluded.errors, nacks = h.nacks + excluded.nacks, timeouts = h.timeouts + excluded.timeouts,
      trimmed = h.trimmed + excluded.trimmed
    RETURNING h.hour
  ), days AS (
    INSERT INTO counter_day AS d (day, stream_id, fetched, reviews, approvals, rejections, auto_rejected, deliveries,
      errors, nacks, timeouts, trimmed)
    SELECT (hour AT TIME ZONE 'UTC')::date, stream_id, sum(fetched), sum(reviews), sum(approvals), sum(rejections), sum(auto_rejected),
      sum(deliveries), sum(errors), sum(nacks), sum(timeouts), sum(trimmed)
    FROM taken GROUP BY 1, 2
    HAVING bool_or((fetched, reviews, approvals, rejections, auto_rejected, deliveries, errors, nacks, timeouts, trimmed)
                   <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    ON CONFLICT (day, stream_id) DO UPDATE SET
      fetched = d.fetched + excluded.fetched, reviews = d.reviews + excluded.reviews,
      approvals = d.approvals + excluded.approvals, rejections = d.rejections + excluded.rejections,
      auto_rejected = d.auto_rejected + excluded.auto_rejected, deliveries = d.deliveries + excluded.deliveries,
      errors = d.errors + excluded.errors, nacks = d.nacks + excluded.nacks, timeouts = d.timeouts + excluded.timeouts,
      trimmed = d.trimmed + excluded.trimmed
  ), hosts AS (
    INSERT INTO counter_instance AS i (instance, posts)
    SELECT instance, sum(posts) FROM taken WHERE instance IS NOT NULL GROUP BY instance
    ON CONFLICT (instance) DO UPDATE SET posts = i.posts + excluded.posts
  )
  SELECT (SELECT count(*) FROM taken), ARRAY(SELECT DISTINCT hour FROM hours) INTO done, changed;
  -- Summed again, not added to: the former version of this function, which runs until an update is complete, left it out.
  INSERT INTO counter_hour_total AS t (hour, fetched, reviews, approvals, rejections, auto_rejected, deliveries)
  SELECT hour, sum(fetched), sum(reviews), sum(approvals), sum(rejections), sum(auto_rejected), sum(deliveries)
  FROM counter_hour WHERE hour = ANY (changed) GROUP BY hour
  ON CONFLICT (hour) DO UPDATE SET
    fetched = excluded.fetched, reviews = excluded.reviews, approvals = excluded.approvals,
    rejections = excluded.rejections, auto_rejected = excluded.auto_rejected, deliveries = excluded.deliveries;
  RETURN done;
END $$;
