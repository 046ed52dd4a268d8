-- Figures: triggers append facts, figure_rows() says which figures a fact changes, compact_figures() adds them up
-- (docs/decisions/0039-one-roll-up.md).

-- The mapping: the rows of `figure` that facts change, of some dimensions (null: of all) and grains; days are those of
-- p_zone. A row without a key or a metric does not exist. PL/pgSQL keeps the plan, because planning takes longer than reading
-- some facts. A SELECT for each line, because a plan then skips those of other dimensions and grains (One-Time Filter), and
-- because a list of VALUES prepares its expressions again for each fact.
CREATE OR REPLACE FUNCTION figure_rows(p_facts figure_delta[], p_dimensions text[], p_grains text[], p_zone text)
RETURNS TABLE (dimension text, grain text, key text, metric text, at timestamp, n bigint)
LANGUAGE plpgsql STABLE ROWS 100 SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  IF p_facts = '{}' THEN RETURN; END IF;
  RETURN QUERY
  WITH f AS MATERIALIZED (
    SELECT *, CASE WHEN stream_id IS NOT NULL THEN '' END AS every_stream, stream_id::text AS stream FROM unnest(p_facts) f
  )
  SELECT r.dimension, g.grain, r.key, r.metric,
         CASE g.grain WHEN 'all' THEN timestamp 'epoch' WHEN 'hour' THEN r.at
                      ELSE date_trunc('day', r.at AT TIME ZONE 'UTC' AT TIME ZONE p_zone) END, sum(r.n)
    FROM (
      -- Stored rows.
      SELECT 'level'::text, '{all}'::text[], every_stream, state, at::timestamp, n FROM f
      UNION ALL SELECT 'level', '{all}', every_stream, was, at, -n FROM f
      UNION ALL SELECT 'level', '{all}', every_stream, 'with_media', at, n FROM f WHERE with_media
      UNION ALL SELECT 'stream_level', '{all}', stream, state, at, n FROM f
      UNION ALL SELECT 'stream_level', '{all}', stream, was, at, -n FROM f
      UNION ALL SELECT 'stream_level', '{all}', stream, 'with_media', at, n FROM f WHERE with_media
      UNION ALL SELECT 'host', '{all}', instance, 'posts', at, n FROM f WHERE with_media IS NOT NULL
      -- Events.
      UNION ALL SELECT 'all', '{all,day,hour}', every_stream, event, at, n FROM f
      UNION ALL SELECT 'stream', '{all,day}', stream, event, at, n FROM f
      UNION ALL SELECT 'host', '{day}', instance, event, at, n FROM f
      UNION ALL SELECT 'reviewer', '{day}', reviewer, event, at, n FROM f
      UNION ALL SELECT 'bot', '{all,day}', api_key_id::text, event, at, n FROM f
      UNION ALL SELECT 'reason', '{day}', reason, event, at, n FROM f
    ) r (dimension, grains, key, metric, at, n), unnest(p_grains) g (grain)
   WHERE (p_dimensions IS NULL OR r.dimension = ANY (p_dimensions)) AND r.grains && p_grains AND g.grain = ANY (r.grains)
     AND r.key IS NOT NULL AND r.metric IS NOT NULL
   GROUP BY 1, 2, 3, 4, 5 HAVING sum(r.n) <> 0;
END $$;

-- Figures of some dimensions, facts that are not yet compacted included, from one snapshot. Two rows may have one key: add
-- them.
CREATE OR REPLACE FUNCTION figure_now(p_dimensions text[], p_grain text, p_zone text DEFAULT 'UTC')
RETURNS TABLE (dimension text, key text, metric text, at timestamp, n bigint)
LANGUAGE sql STABLE AS $$
  SELECT dimension, key, metric, at, n FROM figure WHERE dimension = ANY (p_dimensions) AND grain = p_grain
  UNION ALL
  SELECT dimension, key, metric, at, n
    FROM figure_rows(ARRAY(SELECT f FROM figure_delta f), p_dimensions, ARRAY[p_grain], p_zone)
$$;

-- Returns the number of facts; 0 when another process is compacting.
CREATE OR REPLACE FUNCTION compact_figures(p_limit integer DEFAULT 20000, p_zone text DEFAULT 'UTC') RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  done integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7105) THEN RETURN 0; END IF;
  WITH taken AS (
    DELETE FROM figure_delta d WHERE id IN (SELECT id FROM figure_delta ORDER BY id LIMIT p_limit) RETURNING d AS fact
  ), added AS (
    INSERT INTO figure AS t (dimension, grain, key, metric, at, n)
    SELECT * FROM figure_rows(ARRAY(SELECT fact FROM taken), NULL, '{all,hour,day}', p_zone)
    ON CONFLICT (dimension, grain, key, metric, at) DO UPDATE SET n = t.n + excluded.n
  )
  SELECT count(*) INTO done FROM taken;
  RETURN done;
END $$;

CREATE OR REPLACE FUNCTION outcome_of(p_approved boolean, p_auto text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_approved IS NULL THEN 'unreviewed' WHEN p_approved THEN 'approved'
              WHEN p_auto IS NOT NULL THEN 'auto_rejected' ELSE 'rejected' END
$$;

CREATE OR REPLACE FUNCTION utc_hour(p_at timestamptz) RETURNS timestamp LANGUAGE sql IMMUTABLE AS $$
  SELECT date_trunc('hour', p_at AT TIME ZONE 'UTC')
$$;

-- The fact of a standing review, in the hour of reviewed_at: a changed review moves it, an undo removes it, a deletion
-- keeps it. A filter has its reason, and no host or reviewer. A reviewer's rejection has the id of its reason, or ''.
CREATE OR REPLACE FUNCTION review_fact(
  p_approved boolean, p_auto text, p_reason_id integer, p_reviewed_at timestamptz, p_instance text, p_member_id integer, p_reviewer text
) RETURNS TABLE (event text, at timestamp, instance text, reviewer text, reason text) LANGUAGE sql IMMUTABLE AS $$
  SELECT e.event, utc_hour(p_reviewed_at), CASE WHEN e.by_people THEN p_instance END,
         CASE WHEN e.by_people THEN coalesce(p_member_id, 0) || ':' || coalesce(p_reviewer, '') END,
         CASE WHEN NOT e.by_people THEN left(p_auto, 200) WHEN NOT p_approved THEN coalesce(p_reason_id::text, '') END
    FROM (SELECT outcome_of(p_approved, p_auto) AS event, p_approved OR p_auto IS NULL AS by_people) e
$$;

CREATE OR REPLACE FUNCTION note_post_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_delta (event, at, n, stream_id, state, with_media, instance)
  SELECT 'fetched', utc_hour(fetched_at), count(*), coalesce(stream_id, 0), 'unreviewed', media_count > 0, instance
    FROM new_rows GROUP BY 2, 4, 6, 7;

  -- Rejected by a filter on arrival.
  INSERT INTO figure_delta (event, at, instance, reviewer, reason, stream_id, was, state, n)
  SELECT r.*, coalesce(p.stream_id, 0), 'unreviewed', r.event, count(*)
    FROM new_rows p, review_fact(p.approved, p.auto_reject_reason, p.reject_reason_id, p.reviewed_at, p.instance,
                                 p.reviewed_by_member, p.reviewed_by) r
   WHERE p.approved IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_note_insert AFTER INSERT ON post
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_post_insert();

CREATE OR REPLACE FUNCTION note_post_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_delta (event, at, instance, reviewer, reason, stream_id, was, state, n)
  SELECT r.*, coalesce(p.stream_id, 0), 'unreviewed', r.event, sum(p.sign)
    FROM (SELECT 1 AS sign, stream_id, approved, auto_reject_reason, reject_reason_id, reviewed_at, instance,
                 reviewed_by_member, reviewed_by
            FROM new_rows WHERE approved IS NOT NULL
          UNION ALL
          SELECT -1, stream_id, approved, auto_reject_reason, reject_reason_id, reviewed_at, instance,
                 reviewed_by_member, reviewed_by
            FROM old_rows WHERE approved IS NOT NULL) p,
         review_fact(p.approved, p.auto_reject_reason, p.reject_reason_id, p.reviewed_at, p.instance,
                     p.reviewed_by_member, p.reviewed_by) r
   GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(p.sign) <> 0;

  -- Another stream, host, or first or last picture. The review moves with the facts above.
  INSERT INTO figure_delta (n, stream_id, state, with_media, instance)
  SELECT sum(sign), coalesce(stream_id, 0), 'unreviewed', media_count > 0, instance
    FROM (SELECT 1 AS sign, stream_id, media_count, instance FROM new_rows
          UNION ALL SELECT -1, stream_id, media_count, instance FROM old_rows) p
   GROUP BY 2, 4, 5 HAVING sum(sign) <> 0;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_note_update AFTER UPDATE ON post
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_post_update();

-- Events stay.
CREATE OR REPLACE FUNCTION note_post_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_delta (n, stream_id, state, with_media, instance)
  SELECT -count(*), coalesce(stream_id, 0), outcome_of(approved, auto_reject_reason), media_count > 0, instance
    FROM old_rows GROUP BY 2, 3, 4, 5;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_note_delete AFTER DELETE ON post
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_post_delete();

-- Called by delete_posts() before the deletion.
CREATE OR REPLACE FUNCTION note_trimmed(p_ids integer[]) RETURNS void LANGUAGE sql VOLATILE AS $$
  INSERT INTO figure_delta (event, stream_id, n)
  SELECT 'trimmed', coalesce(stream_id, 0), count(*) FROM post WHERE id = ANY (p_ids) GROUP BY 2
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
  INSERT INTO figure_delta (event, at, n, stream_id, was, state, instance, api_key_id)
  VALUES (
    CASE WHEN NEW.state = 'delivered' THEN 'delivered' WHEN NEW.state = 'error' THEN 'errors'
         WHEN NEW.nacks > OLD.nacks THEN 'nacks' WHEN NEW.timeouts > OLD.timeouts THEN 'timeouts' END,
    utc_hour(coalesce(CASE NEW.state WHEN 'delivered' THEN NEW.delivered_at WHEN 'error' THEN NEW.errored_at END, now())),
    1, coalesce(NEW.stream_id, 0), OLD.state, NEW.state,
    CASE NEW.state WHEN 'delivered' THEN substring(NEW.author_key FROM '[^@]*$') END, bot
  );
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER queue_note_update AFTER UPDATE ON queue_entry FOR EACH ROW
  WHEN (NEW.state <> OLD.state OR NEW.stream_id IS DISTINCT FROM OLD.stream_id) EXECUTE FUNCTION note_queue_update();

-- An undo restores failed entries by inserting them.
CREATE OR REPLACE FUNCTION note_queue_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_delta (n, stream_id, state)
  SELECT CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END, coalesce(stream_id, 0), state FROM affected_rows GROUP BY 2, 3;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER queue_note_insert AFTER INSERT ON queue_entry
  REFERENCING NEW TABLE AS affected_rows FOR EACH STATEMENT EXECUTE FUNCTION note_queue_rows();
CREATE OR REPLACE TRIGGER queue_note_delete AFTER DELETE ON queue_entry
  REFERENCING OLD TABLE AS affected_rows FOR EACH STATEMENT EXECUTE FUNCTION note_queue_rows();
