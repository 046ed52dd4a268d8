-- Figures that cost the same with ten posts and ten million, and that survive every deletion (design §3).
-- Triggers write one delta row for each changing statement, in its transaction; compaction adds deltas up.
-- Appending never waits for another transaction, so there is no hot row.

CREATE TABLE counter_delta (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hour          timestamptz(0) NOT NULL DEFAULT date_trunc('hour', now(), 'UTC'),
  -- 0 = no stream.
  stream_id     integer NOT NULL DEFAULT 0,
  instance      text,
  -- Levels: what is stored now.
  posts         integer NOT NULL DEFAULT 0,
  approved      integer NOT NULL DEFAULT 0,
  rejected      integer NOT NULL DEFAULT 0,
  unreviewed    integer NOT NULL DEFAULT 0,
  with_media    integer NOT NULL DEFAULT 0,
  pending       integer NOT NULL DEFAULT 0,
  reserved      integer NOT NULL DEFAULT 0,
  delivered     integer NOT NULL DEFAULT 0,
  error         integer NOT NULL DEFAULT 0,
  -- Flows: what happened in this hour. Reviews are counted in the hour of the review that stands.
  fetched       integer NOT NULL DEFAULT 0,
  reviews       integer NOT NULL DEFAULT 0,
  approvals     integer NOT NULL DEFAULT 0,
  rejections    integer NOT NULL DEFAULT 0,
  auto_rejected integer NOT NULL DEFAULT 0,
  deliveries    integer NOT NULL DEFAULT 0,
  errors        integer NOT NULL DEFAULT 0,
  nacks         integer NOT NULL DEFAULT 0,
  timeouts      integer NOT NULL DEFAULT 0,
  trimmed       integer NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- The same, added up: per stream for ever, per UTC hour and stream, per UTC day and stream, per host.
CREATE TABLE counter_total (
  stream_id integer PRIMARY KEY,
  posts bigint NOT NULL DEFAULT 0, approved bigint NOT NULL DEFAULT 0, rejected bigint NOT NULL DEFAULT 0,
  unreviewed bigint NOT NULL DEFAULT 0, with_media bigint NOT NULL DEFAULT 0,
  pending bigint NOT NULL DEFAULT 0, reserved bigint NOT NULL DEFAULT 0, delivered bigint NOT NULL DEFAULT 0,
  error bigint NOT NULL DEFAULT 0,
  fetched bigint NOT NULL DEFAULT 0, reviews bigint NOT NULL DEFAULT 0, approvals bigint NOT NULL DEFAULT 0,
  rejections bigint NOT NULL DEFAULT 0, auto_rejected bigint NOT NULL DEFAULT 0, deliveries bigint NOT NULL DEFAULT 0,
  errors bigint NOT NULL DEFAULT 0, nacks bigint NOT NULL DEFAULT 0, timeouts bigint NOT NULL DEFAULT 0,
  trimmed bigint NOT NULL DEFAULT 0
);
CREATE TABLE counter_hour (
  hour timestamptz(0) NOT NULL,
  stream_id integer NOT NULL,
  fetched integer NOT NULL DEFAULT 0, reviews integer NOT NULL DEFAULT 0, approvals integer NOT NULL DEFAULT 0,
  rejections integer NOT NULL DEFAULT 0, auto_rejected integer NOT NULL DEFAULT 0, deliveries integer NOT NULL DEFAULT 0,
  errors integer NOT NULL DEFAULT 0, nacks integer NOT NULL DEFAULT 0, timeouts integer NOT NULL DEFAULT 0,
  trimmed integer NOT NULL DEFAULT 0,
  PRIMARY KEY (hour, stream_id)
);
-- A year of days is 365 rows a stream; summing its hours would read 8760.
CREATE TABLE counter_day (
  day date NOT NULL,
  stream_id integer NOT NULL,
  fetched integer NOT NULL DEFAULT 0, reviews integer NOT NULL DEFAULT 0, approvals integer NOT NULL DEFAULT 0,
  rejections integer NOT NULL DEFAULT 0, auto_rejected integer NOT NULL DEFAULT 0, deliveries integer NOT NULL DEFAULT 0,
  errors integer NOT NULL DEFAULT 0, nacks integer NOT NULL DEFAULT 0, timeouts integer NOT NULL DEFAULT 0,
  trimmed integer NOT NULL DEFAULT 0,
  PRIMARY KEY (day, stream_id)
);
CREATE TABLE counter_instance (
  instance text PRIMARY KEY,
  posts bigint NOT NULL DEFAULT 0
);
-- by_source: the hosts with most posts.
CREATE INDEX counter_instance_posts_idx ON counter_instance (posts DESC, instance);

-- Current figures a stream: what is added up plus what is not yet. One row for each stream that ever had a
-- post, 0 for posts whose stream is gone.
CREATE VIEW counter_now AS
  SELECT stream_id,
         sum(posts)::bigint AS posts, sum(approved)::bigint AS approved, sum(rejected)::bigint AS rejected,
         sum(unreviewed)::bigint AS unreviewed, sum(with_media)::bigint AS with_media, sum(pending)::bigint AS pending,
         sum(reserved)::bigint AS reserved, sum(delivered)::bigint AS delivered, sum(error)::bigint AS error,
         sum(fetched)::bigint AS fetched, sum(reviews)::bigint AS reviews, sum(approvals)::bigint AS approvals,
         sum(rejections)::bigint AS rejections, sum(auto_rejected)::bigint AS auto_rejected,
         sum(deliveries)::bigint AS deliveries, sum(errors)::bigint AS errors, sum(nacks)::bigint AS nacks,
         sum(timeouts)::bigint AS timeouts, sum(trimmed)::bigint AS trimmed
  FROM (
    SELECT stream_id, posts, approved, rejected, unreviewed, with_media, pending, reserved, delivered, error,
           fetched, reviews, approvals, rejections, auto_rejected, deliveries, errors, nacks, timeouts, trimmed
    FROM counter_total
    UNION ALL
    SELECT stream_id, posts, approved, rejected, unreviewed, with_media, pending, reserved, delivered, error,
           fetched, reviews, approvals, rejections, auto_rejected, deliveries, errors, nacks, timeouts, trimmed
    FROM counter_delta
  ) part
  GROUP BY stream_id;

-- Flows by UTC hour and stream. Queries give bounds on "hour"; they reach both parts.
CREATE VIEW counter_hourly AS
  SELECT hour, stream_id, fetched, reviews, approvals, rejections, auto_rejected, deliveries, errors, nacks, timeouts, trimmed
  FROM counter_hour
  UNION ALL
  SELECT hour, stream_id, fetched, reviews, approvals, rejections, auto_rejected, deliveries, errors, nacks, timeouts, trimmed
  FROM counter_delta;

-- The same by UTC day.
CREATE VIEW counter_daily AS
  SELECT day, stream_id, fetched, reviews, approvals, rejections, auto_rejected, deliveries, errors, nacks, timeouts, trimmed
  FROM counter_day
  UNION ALL
  SELECT (hour AT TIME ZONE 'UTC')::date, stream_id, fetched, reviews, approvals, rejections, auto_rejected, deliveries,
         errors, nacks, timeouts, trimmed
  FROM counter_delta;

-- Adds up at most p_limit deltas. Returns how many; 0 when another process is at it.
CREATE FUNCTION compact_counters(p_limit integer DEFAULT 50000) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  done integer;
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
  SELECT count(*) INTO done FROM taken;
  RETURN done;
END $$;

-- Posts -----------------------------------------------------------------------------------------------------

CREATE FUNCTION count_post_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_delta (hour, stream_id, instance, posts, approved, rejected, unreviewed, with_media, fetched)
  SELECT date_trunc('hour', fetched_at, 'UTC'), coalesce(stream_id, 0), instance,
         count(*), count(*) FILTER (WHERE approved), count(*) FILTER (WHERE NOT approved),
         count(*) FILTER (WHERE approved IS NULL), count(*) FILTER (WHERE media_count > 0), count(*)
  FROM fresh GROUP BY 1, 2, 3;

  -- Auto-rejected on fetch: reviewed already. In the hour of reviewed_at, where a changed mind looks for it.
  INSERT INTO counter_delta (hour, stream_id, reviews, approvals, rejections, auto_rejected)
  SELECT date_trunc('hour', reviewed_at, 'UTC'), coalesce(stream_id, 0),
         count(*), count(*) FILTER (WHERE approved), count(*) FILTER (WHERE NOT approved),
         count(*) FILTER (WHERE NOT approved AND auto_reject_reason IS NOT NULL)
  FROM fresh WHERE approved IS NOT NULL GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE TRIGGER post_count_insert AFTER INSERT ON post
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_post_insert();

CREATE FUNCTION count_post_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_delta (stream_id, instance, posts, approved, rejected, unreviewed, with_media)
  SELECT coalesce(stream_id, 0), instance, -count(*), -count(*) FILTER (WHERE approved),
         -count(*) FILTER (WHERE NOT approved), -count(*) FILTER (WHERE approved IS NULL),
         -count(*) FILTER (WHERE media_count > 0)
  FROM gone GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE TRIGGER post_count_delete AFTER DELETE ON post
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_post_delete();

CREATE FUNCTION count_post_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_delta (stream_id, instance, posts, approved, rejected, unreviewed, with_media)
  SELECT s, i, sum(n), sum(n * (a IS TRUE)::int), sum(n * (a IS FALSE)::int), sum(n * (a IS NULL)::int), sum(n * m::int)
  FROM (
    SELECT coalesce(stream_id, 0) AS s, instance AS i, approved AS a, media_count > 0 AS m, 1 AS n FROM fresh
    UNION ALL
    SELECT coalesce(stream_id, 0), instance, approved, media_count > 0, -1 FROM gone
  ) change
  GROUP BY s, i
  HAVING sum(n) <> 0 OR sum(n * (a IS TRUE)::int) <> 0 OR sum(n * (a IS FALSE)::int) <> 0
      OR sum(n * (a IS NULL)::int) <> 0 OR sum(n * m::int) <> 0;

  -- Reviews stand in the hour of reviewed_at: a changed mind moves the count, an undo takes it back.
  INSERT INTO counter_delta (hour, stream_id, reviews, approvals, rejections, auto_rejected)
  SELECT h, s, sum(n), sum(n * a::int), sum(n * (NOT a)::int), sum(n * auto::int)
  FROM (
    SELECT date_trunc('hour', reviewed_at, 'UTC') AS h, coalesce(stream_id, 0) AS s, approved AS a,
           NOT approved AND auto_reject_reason IS NOT NULL AS auto, 1 AS n
    FROM fresh WHERE approved IS NOT NULL
    UNION ALL
    SELECT date_trunc('hour', reviewed_at, 'UTC'), coalesce(stream_id, 0), approved,
           NOT approved AND auto_reject_reason IS NOT NULL, -1
    FROM gone WHERE approved IS NOT NULL
  ) change
  GROUP BY h, s
  HAVING sum(n) <> 0 OR sum(n * a::int) <> 0 OR sum(n * (NOT a)::int) <> 0 OR sum(n * auto::int) <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER post_count_update AFTER UPDATE ON post
  REFERENCING NEW TABLE AS fresh OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_post_update();

-- Queue -----------------------------------------------------------------------------------------------------

CREATE FUNCTION count_queue_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_delta (stream_id, pending, reserved, delivered, error)
  SELECT coalesce(stream_id, 0), count(*) FILTER (WHERE state = 'pending'), count(*) FILTER (WHERE state = 'reserved'),
         count(*) FILTER (WHERE state = 'delivered'), count(*) FILTER (WHERE state = 'error')
  FROM fresh GROUP BY 1;
  RETURN NULL;
END $$;
CREATE TRIGGER queue_count_insert AFTER INSERT ON queue_entry
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_queue_insert();

CREATE FUNCTION count_queue_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_delta (stream_id, pending, reserved, delivered, error)
  SELECT coalesce(stream_id, 0), -count(*) FILTER (WHERE state = 'pending'), -count(*) FILTER (WHERE state = 'reserved'),
         -count(*) FILTER (WHERE state = 'delivered'), -count(*) FILTER (WHERE state = 'error')
  FROM gone GROUP BY 1;
  RETURN NULL;
END $$;
CREATE TRIGGER queue_count_delete AFTER DELETE ON queue_entry
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_queue_delete();

-- By row, not by statement: reserve and ack change one row, and collecting a transition table for one row
-- costs more than the count itself. Bulk changes of state are rare; holds do not fire it (WHEN below).
CREATE FUNCTION count_queue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_delta (stream_id, pending, reserved, delivered, error, deliveries, errors, nacks, timeouts)
  VALUES (
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
CREATE TRIGGER queue_count_change AFTER UPDATE ON queue_entry FOR EACH ROW
  WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION count_queue_change();

CREATE FUNCTION count_queue_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_delta (stream_id, pending, reserved, delivered, error)
  SELECT coalesce(s, 0), n * (NEW.state = 'pending')::int, n * (NEW.state = 'reserved')::int,
         n * (NEW.state = 'delivered')::int, n * (NEW.state = 'error')::int
  FROM (VALUES (OLD.stream_id, -1), (NEW.stream_id, 1)) move (s, n);
  RETURN NULL;
END $$;
-- A stream deleted: its entries move to "no stream". State and stream never change in one statement.
CREATE TRIGGER queue_count_move AFTER UPDATE ON queue_entry FOR EACH ROW
  WHEN (NEW.stream_id IS DISTINCT FROM OLD.stream_id AND NEW.state = OLD.state) EXECUTE FUNCTION count_queue_move();

-- post.stream_id is set to null by its foreign key; the entry follows.
CREATE FUNCTION follow_stream() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE queue_entry SET stream_id = NEW.stream_id WHERE post_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER post_follow_stream AFTER UPDATE OF stream_id ON post FOR EACH ROW
  WHEN (NEW.stream_id IS DISTINCT FROM OLD.stream_id) EXECUTE FUNCTION follow_stream();
