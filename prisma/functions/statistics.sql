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
  p_instance text, p_author_key text, p_member_id integer, p_reviewer text, p_language text
) RETURNS TABLE (
  day date, kind text, stream_id integer, instance text, author_key text, reviewer_id integer, reviewer text,
  approved boolean, wait smallint, reason text, language text
) LANGUAGE sql STABLE AS $$
  SELECT (p_reviewed_at AT TIME ZONE 'UTC')::date, 'auto_rejected', 0, NULL, NULL, 0, NULL, false, NULL::smallint,
         left(p_auto, 200), NULL
   WHERE NOT p_approved AND p_auto IS NOT NULL
  UNION ALL
  SELECT (p_reviewed_at AT TIME ZONE 'UTC')::date, 'review', coalesce(p_stream_id, 0), p_instance,
         CASE WHEN p_approved THEN p_author_key END, coalesce(p_member_id, 0), coalesce(p_reviewer, ''), p_approved,
         wait_bucket(p_reviewed_at - p_fetched_at), NULL, coalesce(p_language, '')
   WHERE p_approved OR (NOT p_approved AND p_auto IS NULL)
$$;

-- Outcome of a post without regard to the queue: see stat_outcome.
CREATE OR REPLACE FUNCTION outcome_of(p_approved boolean, p_auto text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_approved IS NULL THEN 'unreviewed' WHEN p_approved THEN 'approved'
              WHEN p_auto IS NOT NULL THEN 'auto_rejected' ELSE 'rejected' END
$$;

CREATE OR REPLACE FUNCTION stat_post_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stat_delta (day, kind, instance, language, fetched_on, outcome, n)
  SELECT (fetched_at AT TIME ZONE 'UTC')::date, 'fetched', instance, coalesce(language, ''),
         (fetched_at AT TIME ZONE 'UTC')::date, outcome_of(approved, auto_reject_reason), count(*)
    FROM new_rows GROUP BY 1, 3, 4, 6;

  INSERT INTO stat_delta (day, kind, stream_id, instance, author_key, reviewer_id, reviewer, approved, wait, reason, language, n)
  SELECT r.*, count(*)
    FROM new_rows p, stat_review_of(p.approved, p.reviewed_at, p.fetched_at, p.auto_reject_reason, p.stream_id, p.instance,
                                 p.author_key, p.reviewed_by_member, p.reviewed_by, p.language) r
   WHERE p.approved IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_stat_insert AFTER INSERT ON post
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION stat_post_insert();

-- A changed review moves the count, an undo removes it; a deletion keeps it.
CREATE OR REPLACE FUNCTION stat_post_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stat_delta (day, kind, stream_id, instance, author_key, reviewer_id, reviewer, approved, wait, reason, language, n)
  SELECT r.*, sum(p.sign)
    FROM (SELECT 1 AS sign, approved, reviewed_at, fetched_at, auto_reject_reason, stream_id, instance, author_key,
                 reviewed_by_member, reviewed_by, language
            FROM new_rows WHERE approved IS NOT NULL
          UNION ALL
          SELECT -1, approved, reviewed_at, fetched_at, auto_reject_reason, stream_id, instance, author_key,
                 reviewed_by_member, reviewed_by, language
            FROM old_rows WHERE approved IS NOT NULL) p,
         stat_review_of(p.approved, p.reviewed_at, p.fetched_at, p.auto_reject_reason, p.stream_id, p.instance,
                        p.author_key, p.reviewed_by_member, p.reviewed_by, p.language) r
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 HAVING sum(p.sign) <> 0;

  INSERT INTO stat_delta (kind, fetched_on, outcome, n)
  SELECT 'outcome', (fetched_at AT TIME ZONE 'UTC')::date, outcome, sum(sign)
    FROM (SELECT 1 AS sign, fetched_at, outcome_of(approved, auto_reject_reason) AS outcome FROM new_rows
          UNION ALL SELECT -1, fetched_at, outcome_of(approved, auto_reject_reason) FROM old_rows) p
   GROUP BY 2, 3 HAVING sum(sign) <> 0;

  -- A decision that another reviewer changed, or that was taken back. Changing one's own is neither.
  INSERT INTO stat_delta (kind, reviewer_id, reviewer, second_id, second, outcome, n)
  SELECT 'second', coalesce(o.reviewed_by_member, 0), coalesce(o.reviewed_by, ''),
         CASE WHEN n.approved IS NULL THEN 0 ELSE coalesce(n.reviewed_by_member, 0) END,
         CASE WHEN n.approved IS NULL THEN '' ELSE coalesce(n.reviewed_by, '') END,
         CASE WHEN n.approved IS NULL THEN 'taken_back' ELSE 'different' END, count(*)
    FROM old_rows o JOIN new_rows n ON n.id = o.id
   WHERE o.approved IS NOT NULL AND outcome_of(o.approved, o.auto_reject_reason) <> 'auto_rejected'
     AND outcome_of(n.approved, n.auto_reject_reason) <> 'auto_rejected'
     AND n.approved IS DISTINCT FROM o.approved
     AND (n.approved IS NULL OR (n.reviewed_by_member, n.reviewed_by) IS DISTINCT FROM (o.reviewed_by_member, o.reviewed_by))
   GROUP BY 2, 3, 4, 5, 6;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_stat_update AFTER UPDATE ON post
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION stat_post_update();

-- Called by delete_posts() before the deletion.
CREATE OR REPLACE FUNCTION stat_before_deletion(p_ids integer[]) RETURNS void LANGUAGE sql VOLATILE AS $$
  INSERT INTO stat_delta (kind, fetched_on, outcome, n)
  SELECT 'outcome', (p.fetched_at AT TIME ZONE 'UTC')::date, c.outcome, sum(c.n)
    FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id,
         LATERAL (VALUES ('unreviewed', -(p.approved IS NULL)::int), ('deleted', (p.approved IS NULL)::int),
                         ('removed', (p.approved AND coalesce(q.state, 'pending') IN ('pending', 'reserved'))::int)) c (outcome, n)
   WHERE p.id = ANY (p_ids) AND c.n <> 0 GROUP BY 2, 3
$$;

-- A row trigger, as count_queue_change. The host is the part after "@" of the author.
CREATE OR REPLACE FUNCTION stat_queue_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fetched CONSTANT date := (SELECT (fetched_at AT TIME ZONE 'UTC')::date FROM post WHERE id = NEW.post_id);
  -- The key that settled the post (queue_settle); none when a member did, or marks a failed post as delivered.
  bot CONSTANT integer := CASE WHEN OLD.state <> 'error' THEN NEW.lease_key_id END;
BEGIN
  IF NEW.state = 'delivered' THEN
    INSERT INTO stat_delta (day, kind, stream_id, instance, wait, api_key_id, age, fetched_on, outcome, n)
    VALUES ((NEW.delivered_at AT TIME ZONE 'UTC')::date, 'delivery', coalesce(NEW.stream_id, 0),
            substring(NEW.author_key FROM '[^@]*$'), wait_bucket(NEW.delivered_at - NEW.approved_at), bot,
            wait_bucket(NEW.delivered_at - NEW.post_created_at), fetched, 'delivered', 1);
  ELSIF NEW.state = 'error' THEN
    INSERT INTO stat_delta (day, kind, reason, api_key_id, fetched_on, outcome, n)
    VALUES ((coalesce(NEW.errored_at, now()) AT TIME ZONE 'UTC')::date, 'error', left(NEW.error_reason, 200), bot, fetched,
            'failed', 1);
  END IF;
  IF OLD.state IN ('delivered', 'error') THEN
    INSERT INTO stat_delta (kind, fetched_on, outcome, n)
    VALUES ('outcome', fetched, CASE OLD.state WHEN 'error' THEN 'failed' ELSE 'delivered' END, -1);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER queue_stat_change AFTER UPDATE ON queue_entry FOR EACH ROW
  WHEN (NEW.state <> OLD.state AND (NEW.state IN ('delivered', 'error') OR OLD.state IN ('delivered', 'error')))
  EXECUTE FUNCTION stat_queue_change();

-- An undo restores failed entries by inserting them. A deleted post keeps its outcome, and is not found here.
CREATE OR REPLACE FUNCTION stat_queue_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign CONSTANT integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO stat_delta (kind, fetched_on, outcome, n)
  SELECT 'outcome', (p.fetched_at AT TIME ZONE 'UTC')::date, CASE q.state WHEN 'error' THEN 'failed' ELSE q.state END,
         sign * count(*)
    FROM affected_rows q JOIN post p ON p.id = q.post_id WHERE q.state IN ('delivered', 'error') GROUP BY 2, 3;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER queue_stat_insert AFTER INSERT ON queue_entry
  REFERENCING NEW TABLE AS affected_rows FOR EACH STATEMENT EXECUTE FUNCTION stat_queue_rows();
CREATE OR REPLACE TRIGGER queue_stat_delete AFTER DELETE ON queue_entry
  REFERENCING OLD TABLE AS affected_rows FOR EACH STATEMENT EXECUTE FUNCTION stat_queue_rows();

-- The desk refuses a decision about a post that another reviewer has decided meanwhile: two decided.
CREATE OR REPLACE FUNCTION stat_refused_decision(
  p_post_id integer, p_approved boolean, p_member_id integer, p_label text
) RETURNS void LANGUAGE sql VOLATILE AS $$
  INSERT INTO stat_delta (kind, reviewer_id, reviewer, second_id, second, outcome, n)
  SELECT 'second', coalesce(p.reviewed_by_member, 0), coalesce(p.reviewed_by, ''), p_member_id, p_label,
         CASE WHEN p.approved = p_approved THEN 'same' ELSE 'different' END, 1
    FROM post p
   WHERE p.id = p_post_id AND outcome_of(p.approved, p.auto_reject_reason) IN ('approved', 'rejected')
     AND (p.reviewed_by_member, p.reviewed_by) IS DISTINCT FROM (p_member_id, p_label)
$$;

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
  ), languages AS (
    INSERT INTO stat_language AS t (day, language, fetched, reviews, approvals)
    SELECT day, language, sum(n * (kind = 'fetched')::int), sum(n * (kind = 'review')::int),
           sum(n * (kind = 'review' AND approved)::int)
      FROM taken WHERE language IS NOT NULL GROUP BY 1, 2
    ON CONFLICT (day, language) DO UPDATE SET
      fetched = t.fetched + excluded.fetched, reviews = t.reviews + excluded.reviews, approvals = t.approvals + excluded.approvals
  ), bots AS (
    INSERT INTO stat_bot AS t (day, api_key_id, deliveries, errors)
    SELECT day, api_key_id, sum(n * (kind = 'delivery')::int), sum(n * (kind = 'error')::int)
      FROM taken WHERE api_key_id IS NOT NULL GROUP BY 1, 2
    ON CONFLICT (api_key_id, day) DO UPDATE SET deliveries = t.deliveries + excluded.deliveries, errors = t.errors + excluded.errors
  ), ages AS (
    INSERT INTO stat_bot_age AS t (day, api_key_id, bucket, n)
    SELECT day, api_key_id, age, sum(n) FROM taken WHERE api_key_id IS NOT NULL AND age IS NOT NULL GROUP BY 1, 2, 3
    ON CONFLICT (api_key_id, day, bucket) DO UPDATE SET n = t.n + excluded.n
  ), outcomes AS (
    INSERT INTO stat_outcome AS t (day, outcome, n)
    SELECT fetched_on, outcome, sum(n) FROM taken WHERE fetched_on IS NOT NULL GROUP BY 1, 2
    ON CONFLICT (day, outcome) DO UPDATE SET n = t.n + excluded.n
  ), agreements AS (
    INSERT INTO stat_agreement AS t (day, first_id, first, second_id, second, outcome, n)
    SELECT day, reviewer_id, reviewer, second_id, second, outcome, sum(n) FROM taken WHERE kind = 'second' GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (day, first_id, first, second_id, second, outcome) DO UPDATE SET n = t.n + excluded.n
  )
  SELECT count(*) INTO done FROM taken;
  -- The longest range is 92 days, compared with the 92 before (lib/stats/overview-schema.ts).
  DELETE FROM stat_author WHERE ctid IN (
    SELECT ctid FROM stat_author WHERE day < (now() AT TIME ZONE 'UTC')::date - 190 LIMIT 5000);
  RETURN done;
END $$;
