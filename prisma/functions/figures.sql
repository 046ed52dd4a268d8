-- Figures: triggers append facts, figure_rows() says which figures a fact changes, compact_figures() adds them up
-- (docs/decisions/0039-one-roll-up.md).

-- 0 is below one second, b covers [2^((b-1)/4), 2^(b/4)) seconds. lib/stats/wait-buckets.ts computes the same; a test
-- compares the two.
CREATE OR REPLACE FUNCTION wait_bucket(p_wait interval) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN extract(epoch FROM p_wait) < 1 THEN 0
              ELSE least(120, floor(4 * ln(extract(epoch FROM p_wait)::float8) / ln(2::float8)) + 1) END::smallint
$$;

-- The mapping: the rows of `figure` that facts change, of some dimensions (null: of all) and grains. A row without a key, a
-- metric, a time or a bucket does not exist. PL/pgSQL keeps the plan, because planning takes longer than reading some facts.
-- A SELECT for each line, because a plan then skips those of other dimensions and grains (One-Time Filter), and because a
-- list of VALUES prepares its expressions again for each fact.
CREATE OR REPLACE FUNCTION figure_rows(p_facts figure_delta[], p_dimensions text[], p_grains text[])
RETURNS TABLE (dimension text, grain text, key text, metric text, at timestamp, bucket smallint, n bigint)
LANGUAGE plpgsql IMMUTABLE ROWS 100 SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  IF p_facts = '{}' THEN RETURN; END IF;
  RETURN QUERY
  WITH f AS MATERIALIZED (
    SELECT *, CASE WHEN stream_id IS NOT NULL THEN '' END AS every_stream, stream_id::text AS stream,
           CASE event WHEN 'delivered' THEN 'delivery_wait' ELSE 'review_wait' END AS waited
      FROM unnest(p_facts) f
  )
  SELECT r.dimension, g.grain, r.key, r.metric,
         CASE g.grain WHEN 'all' THEN timestamp 'epoch' ELSE date_trunc(g.grain, r.at) END, r.bucket::smallint, sum(r.n)
    FROM (
      -- Stored rows.
      SELECT 'level'::text, '{all}'::text[], every_stream, state, at::timestamp, -1, n FROM f
      UNION ALL SELECT 'level', '{all}', every_stream, was, at, -1, -n FROM f
      UNION ALL SELECT 'level', '{all}', every_stream, 'with_media', at, -1, n FROM f WHERE with_media
      UNION ALL SELECT 'stream_level', '{all}', stream, state, at, -1, n FROM f
      UNION ALL SELECT 'stream_level', '{all}', stream, was, at, -1, -n FROM f
      UNION ALL SELECT 'stream_level', '{all}', stream, 'with_media', at, -1, n FROM f WHERE with_media
      UNION ALL SELECT 'host', '{all}', instance, 'posts', at, -1, n FROM f WHERE with_media IS NOT NULL
      -- Events.
      UNION ALL SELECT 'all', '{all,day,hour}', every_stream, event, at, -1, n FROM f
      UNION ALL SELECT 'stream', '{all,day,week}', stream, event, at, -1, n FROM f
      UNION ALL SELECT 'host', '{day,week}', instance, event, at, -1, n FROM f
      UNION ALL SELECT 'author', '{day,week}', author_key, event, at, -1, n FROM f
      UNION ALL SELECT 'language', '{day,week}', language, event, at, -1, n FROM f
      UNION ALL SELECT 'reviewer', '{day,week}', reviewer, event, at, -1, n FROM f
      UNION ALL SELECT 'pair', '{day,week}', pair, event, at, -1, n FROM f
      UNION ALL SELECT 'bot', '{day,week}', api_key_id::text, event, at, -1, n FROM f
      UNION ALL SELECT 'reason', '{day,week}', reason, event, at, -1, n FROM f
      -- Posts by the day of the fetch; pending and reserved ones count as approved.
      UNION ALL SELECT 'outcome', '{day,week}', state, 'posts', fetched_on::timestamp, -1, n FROM f
                 WHERE state NOT IN ('pending', 'reserved')
      UNION ALL SELECT 'outcome', '{day,week}', was, 'posts', fetched_on::timestamp, -1, -n FROM f
                 WHERE was NOT IN ('pending', 'reserved')
      -- Histograms.
      UNION ALL SELECT 'all', '{day,week}', '', waited, at, wait::integer, n FROM f
      UNION ALL SELECT 'stream', '{day,week}', stream, waited, at, wait::integer, n FROM f
      UNION ALL SELECT 'host', '{day,week}', instance, waited, at, wait::integer, n FROM f WHERE event <> 'delivered'
      UNION ALL SELECT 'reviewer', '{day,week}', reviewer, waited, at, wait::integer, n FROM f
      UNION ALL SELECT 'bot', '{day,week}', api_key_id::text, 'age', at, age::integer, n FROM f
    ) r (dimension, grains, key, metric, at, bucket, n), unnest(p_grains) g (grain)
   WHERE (p_dimensions IS NULL OR r.dimension = ANY (p_dimensions)) AND r.grains && p_grains AND g.grain = ANY (r.grains)
     AND r.key IS NOT NULL AND r.metric IS NOT NULL AND r.at IS NOT NULL AND r.bucket IS NOT NULL
   GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(r.n) <> 0;
END $$;

-- Figures of some dimensions, facts that are not yet compacted included, from one snapshot. Two rows may have one key: add
-- them.
CREATE OR REPLACE FUNCTION figure_now(p_dimensions text[], p_grain text)
RETURNS TABLE (dimension text, key text, metric text, at timestamp, bucket smallint, n bigint)
LANGUAGE sql STABLE AS $$
  SELECT dimension, key, metric, at, bucket, n FROM figure WHERE dimension = ANY (p_dimensions) AND grain = p_grain
  UNION ALL
  SELECT dimension, key, metric, at, bucket, n
    FROM figure_rows(ARRAY(SELECT f FROM figure_delta f), p_dimensions, ARRAY[p_grain])
$$;

-- Returns the number of facts; 0 when another process is compacting.
CREATE OR REPLACE FUNCTION compact_figures(p_limit integer DEFAULT 20000) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  done integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7105) THEN RETURN 0; END IF;
  WITH taken AS (
    DELETE FROM figure_delta d WHERE id IN (SELECT id FROM figure_delta ORDER BY id LIMIT p_limit) RETURNING d AS fact
  ), added AS (
    INSERT INTO figure AS t (dimension, grain, key, metric, at, bucket, n)
    SELECT * FROM figure_rows(ARRAY(SELECT fact FROM taken), NULL, '{all,hour,day,week}')
    ON CONFLICT (dimension, grain, key, metric, at, bucket) DO UPDATE SET n = t.n + excluded.n
  )
  SELECT count(*) INTO done FROM taken;
  -- The longest range is 92 days, compared with the 92 before (lib/stats/overview-schema.ts).
  DELETE FROM figure WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM figure WHERE dimension = 'author' AND grain IN ('day', 'week') AND metric = 'approved' AND bucket = -1
       AND at < (now() AT TIME ZONE 'UTC')::date - 190 LIMIT 5000));
  RETURN done;
END $$;

-- Figures under p_from count under p_to, which may have some already. The caller holds lock 7105.
CREATE OR REPLACE FUNCTION rename_figures(p_dimension text, p_metric text, p_from text[], p_to text[]) RETURNS void
LANGUAGE sql VOLATILE AS $$
  WITH old AS (
    DELETE FROM figure f USING unnest(p_from, p_to) r (former, key)
     WHERE f.dimension = p_dimension AND f.grain IN ('all', 'day', 'week') AND f.key = r.former
       AND f.metric = coalesce(p_metric, f.metric)
    RETURNING f.grain, r.key, f.metric, f.at, f.bucket, f.n
  )
  INSERT INTO figure AS t (dimension, grain, key, metric, at, bucket, n)
  SELECT p_dimension, grain, key, metric, at, bucket, sum(n) FROM old GROUP BY 2, 3, 4, 5, 6
  ON CONFLICT (dimension, grain, key, metric, at, bucket) DO UPDATE SET n = t.n + excluded.n
$$;

CREATE OR REPLACE FUNCTION outcome_of(p_approved boolean, p_auto text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_approved IS NULL THEN 'unreviewed' WHEN p_approved THEN 'approved'
              WHEN p_auto IS NOT NULL THEN 'auto_rejected' ELSE 'rejected' END
$$;

CREATE OR REPLACE FUNCTION utc_hour(p_at timestamptz) RETURNS timestamp LANGUAGE sql IMMUTABLE AS $$
  SELECT date_trunc('hour', p_at AT TIME ZONE 'UTC')
$$;

CREATE OR REPLACE FUNCTION reviewer_key(p_member_id integer, p_name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(p_member_id, 0) || ':' || coalesce(p_name, '')
$$;

-- The fact of a standing review, in the hour of reviewed_at: a changed review moves it, an undo removes it, a deletion
-- keeps it. A filter has its reason, and no host, reviewer or wait. A reviewer's rejection has the id of its reason, or ''.
CREATE OR REPLACE FUNCTION review_fact(
  p_approved boolean, p_auto text, p_reason_id integer, p_reviewed_at timestamptz, p_fetched_at timestamptz, p_instance text, p_author_key text,
  p_language text, p_member_id integer, p_reviewer text
) RETURNS TABLE (
  event text, at timestamp, instance text, author_key text, language text, reviewer text, wait smallint, reason text,
  fetched_on date
) LANGUAGE sql IMMUTABLE AS $$
  SELECT e.event, utc_hour(p_reviewed_at), CASE WHEN e.by_people THEN p_instance END, CASE WHEN p_approved THEN p_author_key END,
         CASE WHEN e.by_people THEN coalesce(p_language, '') END, CASE WHEN e.by_people THEN reviewer_key(p_member_id, p_reviewer) END,
         CASE WHEN e.by_people THEN wait_bucket(p_reviewed_at - p_fetched_at) END,
         CASE WHEN NOT e.by_people THEN left(p_auto, 200) WHEN NOT p_approved THEN coalesce(p_reason_id::text, '') END, (p_fetched_at AT TIME ZONE 'UTC')::date
    FROM (SELECT outcome_of(p_approved, p_auto) AS event, p_approved OR p_auto IS NULL AS by_people) e
$$;

CREATE OR REPLACE FUNCTION note_post_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_delta (event, at, n, stream_id, state, with_media, instance, language, fetched_on)
  SELECT 'fetched', utc_hour(fetched_at), count(*), coalesce(stream_id, 0), 'unreviewed', media_count > 0, instance,
         coalesce(language, ''), (fetched_at AT TIME ZONE 'UTC')::date
    FROM new_rows GROUP BY 2, 4, 6, 7, 8, 9;

  -- Rejected by a filter on arrival.
  INSERT INTO figure_delta (event, at, instance, author_key, language, reviewer, wait, reason, fetched_on, stream_id, was, state, n)
  SELECT r.*, coalesce(p.stream_id, 0), 'unreviewed', r.event, count(*)
    FROM new_rows p, review_fact(p.approved, p.auto_reject_reason, p.reject_reason_id, p.reviewed_at, p.fetched_at, p.instance, p.author_key,
                                 p.language, p.reviewed_by_member, p.reviewed_by) r
   WHERE p.approved IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_note_insert AFTER INSERT ON post
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_post_insert();

CREATE OR REPLACE FUNCTION note_post_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_delta (event, at, instance, author_key, language, reviewer, wait, reason, fetched_on, stream_id, was, state, n)
  SELECT r.*, coalesce(p.stream_id, 0), 'unreviewed', r.event, sum(p.sign)
    FROM (SELECT 1 AS sign, stream_id, approved, auto_reject_reason, reject_reason_id, reviewed_at, fetched_at, instance, author_key, language,
                 reviewed_by_member, reviewed_by
            FROM new_rows WHERE approved IS NOT NULL
          UNION ALL
          SELECT -1, stream_id, approved, auto_reject_reason, reject_reason_id, reviewed_at, fetched_at, instance, author_key, language,
                 reviewed_by_member, reviewed_by
            FROM old_rows WHERE approved IS NOT NULL) p,
         review_fact(p.approved, p.auto_reject_reason, p.reject_reason_id, p.reviewed_at, p.fetched_at, p.instance, p.author_key, p.language,
                     p.reviewed_by_member, p.reviewed_by) r
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 HAVING sum(p.sign) <> 0;

  -- Another stream, host, or first or last picture. The review moves with the facts above.
  INSERT INTO figure_delta (n, stream_id, state, with_media, instance)
  SELECT sum(sign), coalesce(stream_id, 0), 'unreviewed', media_count > 0, instance
    FROM (SELECT 1 AS sign, stream_id, media_count, instance FROM new_rows
          UNION ALL SELECT -1, stream_id, media_count, instance FROM old_rows) p
   GROUP BY 2, 4, 5 HAVING sum(sign) <> 0;

  -- A decision that another reviewer changed, or that was taken back. Changing one's own is neither.
  INSERT INTO figure_delta (event, pair, n)
  SELECT CASE WHEN n.approved IS NULL THEN 'taken_back' ELSE 'different' END,
         jsonb_build_array(coalesce(o.reviewed_by_member, 0), coalesce(o.reviewed_by, ''),
                           CASE WHEN n.approved IS NULL THEN 0 ELSE coalesce(n.reviewed_by_member, 0) END,
                           CASE WHEN n.approved IS NULL THEN '' ELSE coalesce(n.reviewed_by, '') END)::text, count(*)
    FROM old_rows o JOIN new_rows n ON n.id = o.id
   WHERE o.approved IS NOT NULL AND outcome_of(o.approved, o.auto_reject_reason) <> 'auto_rejected'
     AND outcome_of(n.approved, n.auto_reject_reason) <> 'auto_rejected'
     AND n.approved IS DISTINCT FROM o.approved
     AND (n.approved IS NULL OR (n.reviewed_by_member, n.reviewed_by) IS DISTINCT FROM (o.reviewed_by_member, o.reviewed_by))
   GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_note_update AFTER UPDATE ON post
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_post_update();

-- Events stay; note_deletions() moves the outcomes.
CREATE OR REPLACE FUNCTION note_post_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_delta (n, stream_id, state, with_media, instance)
  SELECT -count(*), coalesce(stream_id, 0), outcome_of(approved, auto_reject_reason), media_count > 0, instance
    FROM old_rows GROUP BY 2, 3, 4, 5;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_note_delete AFTER DELETE ON post
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_post_delete();

-- Called by delete_posts() with locked posts, before the deletion.
CREATE OR REPLACE FUNCTION note_deletions(p_ids integer[], p_reason text) RETURNS void LANGUAGE sql VOLATILE AS $$
  WITH gone AS (
    SELECT (p.fetched_at AT TIME ZONE 'UTC')::date AS fetched_on, p.approved, coalesce(p.stream_id, 0) AS stream_id,
           p.approved AND coalesce(q.state, 'pending') IN ('pending', 'reserved') AS waiting
      FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id WHERE p.id = ANY (p_ids)
  )
  INSERT INTO figure_delta (event, stream_id, fetched_on, was, state, n)
  SELECT NULL, NULL::integer, fetched_on, CASE WHEN approved IS NULL THEN 'unreviewed' END,
         CASE WHEN approved IS NULL THEN 'deleted' ELSE 'removed' END, count(*)
    FROM gone WHERE approved IS NULL OR waiting GROUP BY 3, 4, 5
  UNION ALL
  SELECT 'trimmed', stream_id, NULL, NULL, NULL, count(*) FROM gone WHERE p_reason = 'trim' GROUP BY 2
$$;

-- Row triggers, because reserve and ack change one row, and a transition table costs more than the fact. The hour is
-- that of the stored time: columns round to milliseconds, possibly into the next hour. The host is the part after "@" of
-- the author.
CREATE OR REPLACE FUNCTION note_queue_update() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- The key that settled the post (queue_settle); none when a member did, or marks a failed post as delivered.
  bot CONSTANT integer := CASE WHEN NEW.state IN ('delivered', 'error') AND OLD.state <> 'error' THEN NEW.lease_key_id END;
BEGIN
  -- The stream was deleted: the entry counts under "no stream".
  IF NEW.stream_id IS DISTINCT FROM OLD.stream_id THEN
    INSERT INTO figure_delta (n, stream_id, state)
    VALUES (-1, coalesce(OLD.stream_id, 0), OLD.state), (1, coalesce(NEW.stream_id, 0), OLD.state);
  END IF;
  IF NEW.state = OLD.state THEN RETURN NULL; END IF;
  INSERT INTO figure_delta (event, at, n, stream_id, was, state, instance, wait, api_key_id, age, reason, fetched_on)
  VALUES (
    CASE WHEN NEW.state = 'delivered' THEN 'delivered' WHEN NEW.state = 'error' THEN 'errors'
         WHEN NEW.nacks > OLD.nacks THEN 'nacks' WHEN NEW.timeouts > OLD.timeouts THEN 'timeouts' END,
    utc_hour(coalesce(CASE NEW.state WHEN 'delivered' THEN NEW.delivered_at WHEN 'error' THEN NEW.errored_at END, now())),
    1, coalesce(NEW.stream_id, 0), OLD.state, NEW.state,
    CASE NEW.state WHEN 'delivered' THEN substring(NEW.author_key FROM '[^@]*$') END,
    CASE NEW.state WHEN 'delivered' THEN wait_bucket(NEW.delivered_at - NEW.approved_at) END,
    bot, CASE NEW.state WHEN 'delivered' THEN wait_bucket(NEW.delivered_at - NEW.post_created_at) END,
    CASE NEW.state WHEN 'error' THEN left(NEW.error_reason, 200) END,
    CASE WHEN NEW.state IN ('delivered', 'error') OR OLD.state IN ('delivered', 'error')
         THEN (SELECT (fetched_at AT TIME ZONE 'UTC')::date FROM post WHERE id = NEW.post_id) END
  );
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER queue_note_update AFTER UPDATE ON queue_entry FOR EACH ROW
  WHEN (NEW.state <> OLD.state OR NEW.stream_id IS DISTINCT FROM OLD.stream_id) EXECUTE FUNCTION note_queue_update();

-- An undo restores failed entries by inserting them. A deleted post keeps its outcome, and is not found here.
CREATE OR REPLACE FUNCTION note_queue_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_delta (n, stream_id, state, fetched_on)
  SELECT CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END, coalesce(q.stream_id, 0), q.state,
         (p.fetched_at AT TIME ZONE 'UTC')::date
    FROM affected_rows q LEFT JOIN post p ON p.id = q.post_id AND q.state IN ('delivered', 'error') GROUP BY 2, 3, 4;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER queue_note_insert AFTER INSERT ON queue_entry
  REFERENCING NEW TABLE AS affected_rows FOR EACH STATEMENT EXECUTE FUNCTION note_queue_rows();
CREATE OR REPLACE TRIGGER queue_note_delete AFTER DELETE ON queue_entry
  REFERENCING OLD TABLE AS affected_rows FOR EACH STATEMENT EXECUTE FUNCTION note_queue_rows();

-- The desk refuses a decision about a post that another reviewer has decided meanwhile: two decided.
CREATE OR REPLACE FUNCTION note_second_decision(p_post_id integer, p_approved boolean, p_member_id integer, p_label text)
RETURNS void LANGUAGE sql VOLATILE AS $$
  INSERT INTO figure_delta (event, pair, n)
  SELECT CASE WHEN p.approved = p_approved THEN 'same' ELSE 'different' END,
         jsonb_build_array(coalesce(p.reviewed_by_member, 0), coalesce(p.reviewed_by, ''), p_member_id, p_label)::text, 1
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
  INSERT INTO figure_delta (event, reason, n) SELECT 'dropped', reason, count(*) FROM noted WHERE is_new GROUP BY reason
$$;

-- A dropped post that is stored after all counts as fetched only.
CREATE OR REPLACE FUNCTION uncount_dropped(p_uris text[]) RETURNS void LANGUAGE sql VOLATILE AS $$
  WITH stored AS (
    DELETE FROM dropped_post WHERE uri_hmac = ANY (ARRAY(SELECT uri_hmac(uri) FROM unnest(p_uris) uri))
    RETURNING reason, first_at
  )
  INSERT INTO figure_delta (event, at, reason, n) SELECT 'dropped', utc_hour(first_at), reason, -count(*) FROM stored GROUP BY 2, 3
$$;
