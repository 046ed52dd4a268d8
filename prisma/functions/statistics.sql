-- Figures by UTC day, kept as deltas like the counters.

-- 0 is below one second, b covers [2^((b-1)/4), 2^(b/4)) seconds. lib/stats/wait-buckets.ts computes the same; a test
-- compares the two.
CREATE OR REPLACE FUNCTION wait_bucket(p_wait interval) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN extract(epoch FROM p_wait) < 1 THEN 0
              ELSE least(120, floor(4 * ln(extract(epoch FROM p_wait)::float8) / ln(2::float8)) + 1) END::smallint
$$;

-- A rejection by a filter counts as a reason and not as a review.
CREATE OR REPLACE FUNCTION stat_review_of(
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

CREATE OR REPLACE FUNCTION stat_post_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stat_delta (day, kind, instance, n)
  SELECT (fetched_at AT TIME ZONE 'UTC')::date, 'fetched', instance, count(*) FROM new_rows GROUP BY 1, 3;

  INSERT INTO stat_delta (day, kind, stream_id, instance, author_key, reviewer_id, reviewer, approved, wait, reason, n)
  SELECT r.*, count(*)
    FROM new_rows p, stat_review_of(p.approved, p.reviewed_at, p.fetched_at, p.auto_reject_reason, p.stream_id, p.instance,
                                 p.author_key, p.reviewed_by_member, p.reviewed_by) r
   WHERE p.approved IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_stat_insert AFTER INSERT ON post
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION stat_post_insert();

-- A changed review moves the count, an undo removes it; a deletion keeps it.
CREATE OR REPLACE FUNCTION stat_post_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stat_delta (day, kind, stream_id, instance, author_key, reviewer_id, reviewer, approved, wait, reason, n)
  SELECT r.*, sum(p.sign)
    FROM (SELECT 1 AS sign, approved, reviewed_at, fetched_at, auto_reject_reason, stream_id, instance, author_key,
                 reviewed_by_member, reviewed_by
            FROM new_rows WHERE approved IS NOT NULL
          UNION ALL
          SELECT -1, approved, reviewed_at, fetched_at, auto_reject_reason, stream_id, instance, author_key,
                 reviewed_by_member, reviewed_by
            FROM old_rows WHERE approved IS NOT NULL) p,
         stat_review_of(p.approved, p.reviewed_at, p.fetched_at, p.auto_reject_reason, p.stream_id, p.instance,
                        p.author_key, p.reviewed_by_member, p.reviewed_by) r
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 HAVING sum(p.sign) <> 0;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_stat_update AFTER UPDATE ON post
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION stat_post_update();

-- A row trigger, as count_queue_change. The host is the part after "@" of the author.
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
CREATE OR REPLACE TRIGGER queue_stat_change AFTER UPDATE ON queue_entry FOR EACH ROW
  WHEN (NEW.state <> OLD.state AND NEW.state IN ('delivered', 'error')) EXECUTE FUNCTION stat_queue_change();

-- Counts dropped posts once, however often and by how many streams they are fetched. seen_at is moved once a day, so
-- that a post is forgotten only after it has left the timelines (lib/jobs/prune.ts).
CREATE OR REPLACE FUNCTION count_dropped(p_uris text[], p_reasons text[]) RETURNS void LANGUAGE sql VOLATILE AS $$
  WITH given AS MATERIALIZED (
    SELECT uri_hmac(uri) AS key, left(min(reason), 200) AS reason FROM unnest(p_uris, p_reasons) g (uri, reason) GROUP BY uri
  ), noted AS (
    INSERT INTO dropped_post AS d (uri_hmac, reason) SELECT key, reason FROM given ORDER BY key
    ON CONFLICT (uri_hmac) DO UPDATE SET seen_at = now() WHERE d.seen_at < now() - interval '1 day'
    RETURNING reason, xmax = 0 AS is_new
  )
  INSERT INTO stat_delta (kind, reason, n) SELECT 'dropped', reason, count(*) FROM noted WHERE is_new GROUP BY reason
$$;

-- A dropped post that is stored after all counts as fetched only.
CREATE OR REPLACE FUNCTION uncount_dropped(p_uris text[]) RETURNS void LANGUAGE sql VOLATILE AS $$
  WITH stored AS (
    DELETE FROM dropped_post WHERE uri_hmac = ANY (ARRAY(SELECT uri_hmac(uri) FROM unnest(p_uris) uri))
    RETURNING reason, first_at
  )
  INSERT INTO stat_delta (day, kind, reason, n)
  SELECT (first_at AT TIME ZONE 'UTC')::date, 'dropped', reason, -count(*) FROM stored GROUP BY 1, 3
$$;

-- Returns the number of deltas; 0 when another process is compacting.
CREATE OR REPLACE FUNCTION compact_statistics(p_limit integer DEFAULT 20000) RETURNS integer LANGUAGE plpgsql AS $$
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
  -- The longest range is 92 days, compared with the 92 before (lib/stats/overview-schema.ts).
  DELETE FROM stat_author WHERE ctid IN (
    SELECT ctid FROM stat_author WHERE day < (now() AT TIME ZONE 'UTC')::date - 190 LIMIT 5000);
  RETURN done;
END $$;
