-- What the statistic screens ask beyond the counters: how long posts wait, who decides, where posts come from, why
-- they fall out. By UTC day. Kept like the counters (20261121080500): triggers append what changed, in the
-- transaction of the change; compact_statistics() adds it up. So a screen costs the same with ten posts and with ten
-- million, and a deleted post stays counted.

-- Waiting times fall into buckets a quarter of an octave wide (19 %): bucket 0 is below a second, bucket b covers
-- [2^((b-1)/4), 2^(b/4)) seconds. lib/stats/wait-buckets.ts reads them; a test compares the two.
CREATE FUNCTION wait_bucket(p_wait interval) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN extract(epoch FROM p_wait) < 1 THEN 0
              ELSE least(120, floor(4 * ln(extract(epoch FROM p_wait)::float8) / ln(2::float8)) + 1) END::smallint
$$;

CREATE TABLE stat_delta (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day         date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date,
  -- fetched, review, delivery; and the reasons: dropped, auto_rejected, error.
  kind        text NOT NULL,
  stream_id   integer NOT NULL DEFAULT 0,
  instance    text,
  author_key  text,
  -- The member who decided (a key decides for its maker), 0 where nobody is known, and the name shown.
  reviewer_id integer NOT NULL DEFAULT 0,
  reviewer    text,
  approved    boolean,
  wait        smallint,
  reason      text,
  n           integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE stat_reviewer (
  day date NOT NULL, reviewer_id integer NOT NULL, reviewer text NOT NULL,
  reviews integer NOT NULL DEFAULT 0, approvals integer NOT NULL DEFAULT 0,
  PRIMARY KEY (reviewer_id, reviewer, day)
);
CREATE TABLE stat_instance (
  day date NOT NULL, instance text NOT NULL,
  fetched integer NOT NULL DEFAULT 0, reviews integer NOT NULL DEFAULT 0, approvals integer NOT NULL DEFAULT 0,
  deliveries integer NOT NULL DEFAULT 0,
  -- Totals of chosen hosts.
  PRIMARY KEY (instance, day) INCLUDE (fetched, reviews, approvals, deliveries)
);
-- A day's largest hosts, from which the hosts of a range are chosen.
CREATE INDEX stat_instance_day_idx ON stat_instance (day, fetched DESC, instance);

-- Approved posts an author and day. Names of people: kept for as long as a range can reach (compact_statistics).
CREATE TABLE stat_author (
  day date NOT NULL, author_key text NOT NULL, approvals integer NOT NULL DEFAULT 0,
  PRIMARY KEY (author_key, day) INCLUDE (approvals)
);
CREATE INDEX stat_author_day_idx ON stat_author (day, approvals DESC, author_key);

-- Waiting times. kind: review (fetched to the review that stands), delivery (approved to delivered).
-- dimension and key: all '', stream id, and for reviews instance and reviewer 'id:name'. Each wait stands in a row of
-- its day (days 1) and in one of its week from Monday on (days 7): a quarter is read as 13 weeks and a few days, a
-- quarter of the rows that 92 days would be.
CREATE TABLE stat_wait (
  kind text NOT NULL, dimension text NOT NULL, days smallint NOT NULL CHECK (days IN (1, 7)), key text NOT NULL,
  day date NOT NULL, bucket smallint NOT NULL,
  n integer NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, dimension, days, key, day, bucket) INCLUDE (n)
);
CREATE TABLE stat_reason (
  day date NOT NULL, kind text NOT NULL, reason text NOT NULL, n integer NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, day, reason)
);

-- Posts -----------------------------------------------------------------------------------------------------

-- What a post's standing review counts as; no row while nobody has decided. A rejection by a filter is a reason, not
-- somebody's work, and its waiting time says nothing about people.
CREATE FUNCTION stat_review_of(
  p_approved boolean, p_reviewed_at timestamptz, p_fetched_at timestamptz, p_auto text, p_stream_id integer,
  p_instance text, p_author_key text, p_member_id integer, p_reviewer text
) RETURNS TABLE (
  day date, kind text, stream_id integer, instance text, author_key text, reviewer_id integer, reviewer text,
  approved boolean, wait smallint, reason text
) LANGUAGE sql STABLE AS $$
  SELECT (p_reviewed_at AT TIME ZONE 'UTC')::date, 'auto_rejected', 0, NULL, NULL, 0, NULL, false, NULL::smallint,
         left(p_auto, 200)
   WHERE NOT p_approved AND p_auto IS NOT NULL
  UNION ALL
  SELECT (p_reviewed_at AT TIME ZONE 'UTC')::date, 'review', coalesce(p_stream_id, 0), p_instance,
         CASE WHEN p_approved THEN p_author_key END, coalesce(p_member_id, 0), coalesce(p_reviewer, ''), p_approved,
         wait_bucket(p_reviewed_at - p_fetched_at), NULL
   WHERE p_approved OR (NOT p_approved AND p_auto IS NULL)
$$;

CREATE FUNCTION stat_post_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stat_delta (day, kind, instance, n)
  SELECT (fetched_at AT TIME ZONE 'UTC')::date, 'fetched', instance, count(*) FROM fresh GROUP BY 1, 3;

  INSERT INTO stat_delta (day, kind, stream_id, instance, author_key, reviewer_id, reviewer, approved, wait, reason, n)
  SELECT r.*, count(*)
    FROM fresh p, stat_review_of(p.approved, p.reviewed_at, p.fetched_at, p.auto_reject_reason, p.stream_id, p.instance,
                                 p.author_key, p.reviewed_by_member, p.reviewed_by) r
   WHERE p.approved IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
  RETURN NULL;
END $$;
CREATE TRIGGER post_stat_insert AFTER INSERT ON post
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION stat_post_insert();

-- A changed mind moves the review, an undo takes it back; a deletion leaves it.
CREATE FUNCTION stat_post_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stat_delta (day, kind, stream_id, instance, author_key, reviewer_id, reviewer, approved, wait, reason, n)
  SELECT r.*, sum(p.sign)
    FROM (SELECT 1 AS sign, approved, reviewed_at, fetched_at, auto_reject_reason, stream_id, instance, author_key,
                 reviewed_by_member, reviewed_by
            FROM fresh WHERE approved IS NOT NULL
          UNION ALL
          SELECT -1, approved, reviewed_at, fetched_at, auto_reject_reason, stream_id, instance, author_key,
                 reviewed_by_member, reviewed_by
            FROM gone WHERE approved IS NOT NULL) p,
         stat_review_of(p.approved, p.reviewed_at, p.fetched_at, p.auto_reject_reason, p.stream_id, p.instance,
                        p.author_key, p.reviewed_by_member, p.reviewed_by) r
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 HAVING sum(p.sign) <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER post_stat_update AFTER UPDATE ON post
  REFERENCING NEW TABLE AS fresh OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION stat_post_update();

-- Queue and fetches -----------------------------------------------------------------------------------------

-- By row, as the counters: one delivery is one row, and the host is the end of the author's address.
CREATE FUNCTION stat_queue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state = 'delivered' THEN
    INSERT INTO stat_delta (kind, stream_id, instance, wait, n)
    VALUES ('delivery', coalesce(NEW.stream_id, 0), substring(NEW.author_key FROM '[^@]*$'),
            wait_bucket(NEW.delivered_at - NEW.approved_at), 1);
  ELSE
    INSERT INTO stat_delta (kind, reason, n) VALUES ('error', left(NEW.error_reason, 200), 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER queue_stat_change AFTER UPDATE ON queue_entry FOR EACH ROW
  WHEN (NEW.state <> OLD.state AND NEW.state IN ('delivered', 'error')) EXECUTE FUNCTION stat_queue_change();

-- A count in a JSON object; anything else is 0: a figure must never be the reason why a fetch cannot be stored.
CREATE FUNCTION stat_number(p jsonb) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(p) = 'number' THEN least(p::text::numeric, 2147483647)::integer ELSE 0 END
$$;

-- What a fetch left out, and why. A run may write its figures as it goes: the difference counts.
CREATE FUNCTION stat_fetch_run() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := '{}';
  known integer := 0;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    before := OLD.dropped;
    known := OLD.duplicates;
  END IF;
  INSERT INTO stat_delta (kind, reason, n)
  SELECT 'dropped', left(reason, 200), n FROM (
    SELECT key AS reason, stat_number(NEW.dropped -> key) - stat_number(before -> key) AS n
      FROM jsonb_object_keys(NEW.dropped || before) key
  ) change WHERE n <> 0
  UNION ALL
  SELECT 'dropped', 'duplicate', NEW.duplicates - known WHERE NEW.duplicates <> known;
  RETURN NULL;
END $$;
CREATE TRIGGER fetch_run_stat AFTER INSERT OR UPDATE OF dropped, duplicates ON fetch_run FOR EACH ROW
  EXECUTE FUNCTION stat_fetch_run();

-- Adding up -------------------------------------------------------------------------------------------------

-- Adds up at most p_limit deltas. Returns how many; 0 when another process is at it.
CREATE FUNCTION compact_statistics(p_limit integer DEFAULT 20000) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  done integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7105) THEN RETURN 0; END IF;
  WITH taken AS (
    DELETE FROM stat_delta WHERE id IN (SELECT id FROM stat_delta ORDER BY id LIMIT p_limit) RETURNING *
  ), reviewers AS (
    INSERT INTO stat_reviewer AS t (day, reviewer_id, reviewer, reviews, approvals)
    SELECT day, reviewer_id, reviewer, sum(n), sum(n * approved::int) FROM taken WHERE kind = 'review' GROUP BY 1, 2, 3
    ON CONFLICT (reviewer_id, reviewer, day) DO UPDATE SET
      reviews = t.reviews + excluded.reviews, approvals = t.approvals + excluded.approvals
  ), instances AS (
    INSERT INTO stat_instance AS t (day, instance, fetched, reviews, approvals, deliveries)
    SELECT day, instance, sum(n * (kind = 'fetched')::int), sum(n * (kind = 'review')::int),
           sum(n * (kind = 'review' AND approved)::int), sum(n * (kind = 'delivery')::int)
      FROM taken WHERE instance IS NOT NULL GROUP BY 1, 2
    ON CONFLICT (instance, day) DO UPDATE SET
      fetched = t.fetched + excluded.fetched, reviews = t.reviews + excluded.reviews,
      approvals = t.approvals + excluded.approvals, deliveries = t.deliveries + excluded.deliveries
  ), authors AS (
    INSERT INTO stat_author AS t (day, author_key, approvals)
    SELECT day, author_key, sum(n) FROM taken WHERE kind = 'review' AND author_key IS NOT NULL GROUP BY 1, 2
    ON CONFLICT (author_key, day) DO UPDATE SET approvals = t.approvals + excluded.approvals
  ), waits AS (
    INSERT INTO stat_wait AS t (kind, dimension, days, key, day, bucket, n)
    SELECT kind, dimension, days, key, CASE days WHEN 1 THEN day ELSE date_trunc('week', day)::date END, wait, sum(n)
      FROM taken, unnest('{1,7}'::smallint[]) days,
           LATERAL (VALUES ('all', ''), ('stream', stream_id::text),
                           ('instance', CASE WHEN kind = 'review' THEN instance END),
                           ('reviewer', CASE WHEN kind = 'review' THEN reviewer_id || ':' || reviewer END)) d (dimension, key)
     WHERE wait IS NOT NULL AND key IS NOT NULL
     GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (kind, dimension, days, key, day, bucket) DO UPDATE SET n = t.n + excluded.n
  ), reasons AS (
    INSERT INTO stat_reason AS t (day, kind, reason, n)
    SELECT day, kind, reason, sum(n) FROM taken WHERE reason IS NOT NULL GROUP BY 1, 2, 3
    ON CONFLICT (kind, day, reason) DO UPDATE SET n = t.n + excluded.n
  )
  SELECT count(*) INTO done FROM taken;
  -- 92 days, the 92 before them, and some room: no range reaches further (lib/stats/schema.ts).
  DELETE FROM stat_author WHERE ctid IN (
    SELECT ctid FROM stat_author WHERE day < (now() AT TIME ZONE 'UTC')::date - 190 LIMIT 5000);
  RETURN done;
END $$;

-- GET /stats/errors --------------------------------------------------------------------------------------------

-- Reported duplicates, newest first.
CREATE INDEX queue_entry_duplicate_idx ON queue_entry (errored_at DESC, post_id DESC)
  WHERE state = 'error' AND error_details ->> 'error_type' = 'duplicate_attachment';
