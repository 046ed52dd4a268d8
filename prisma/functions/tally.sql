-- The tally: triggers append deltas, and functions turn them into figures (docs/decisions/0039-one-roll-up.md).

-- The figures that deltas change, of some kinds; the only such mapping. Days are those of p_zone; the key '' is all streams.
-- Rows without a key or a metric are left out. PL/pgSQL keeps the plan, because planning takes longer than reading a few
-- deltas. Each figure is a SELECT of its own, so that the plan skips other kinds (One-Time Filter).
CREATE OR REPLACE FUNCTION tally_of(p_deltas tally_delta[], p_kinds text[], p_zone text)
RETURNS TABLE (kind text, key text, metric text, at timestamp, n bigint)
LANGUAGE plpgsql STABLE ROWS 100 SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  IF p_deltas = '{}' THEN RETURN; END IF;
  RETURN QUERY
  WITH d AS MATERIALIZED (
    SELECT * FROM unnest(p_deltas)
  ), s AS MATERIALIZED (
    SELECT d.*, k.key FROM d, LATERAL unnest(ARRAY['', stream_id::text]) k (key) WHERE stream_id IS NOT NULL
  )
  SELECT r.kind, r.key, r.metric, r.at, sum(r.n) FROM (
      -- Of stored rows.
      SELECT 'level'::text, key, state, timestamp '-infinity', n FROM s
      UNION ALL SELECT 'level', key, was, '-infinity', -n FROM s
      UNION ALL SELECT 'level', key, 'with_media', '-infinity', n FROM s WHERE media
      UNION ALL SELECT 'host', host, 'posts', '-infinity', n FROM d WHERE media IS NOT NULL
      -- Of events: of all time, by UTC hour, by day.
      UNION ALL SELECT 'total', key, event, '-infinity', n FROM s
      UNION ALL SELECT 'hour', key, event, date_trunc('hour', at AT TIME ZONE 'UTC'), n FROM s WHERE key = ''
      UNION ALL SELECT 'day', key, event, date_trunc('day', at AT TIME ZONE p_zone), n FROM s
      UNION ALL SELECT 'host_day', host, event, date_trunc('day', at AT TIME ZONE p_zone), n FROM d
      UNION ALL SELECT 'reviewer_day', reviewer, event, date_trunc('day', at AT TIME ZONE p_zone), n FROM d
      UNION ALL SELECT 'reason_day', reason, event, date_trunc('day', at AT TIME ZONE p_zone), n FROM d
      UNION ALL SELECT 'bot', api_key_id::text, event, '-infinity', n FROM d
      UNION ALL SELECT 'bot_day', api_key_id::text, event, date_trunc('day', at AT TIME ZONE p_zone), n FROM d
    ) r (kind, key, metric, at, n)
   WHERE r.kind = ANY (p_kinds) AND r.key IS NOT NULL AND r.metric IS NOT NULL
   GROUP BY 1, 2, 3, 4 HAVING sum(r.n) <> 0;
END $$;

-- Figures of some kinds, open deltas included, from one snapshot. A figure may have two rows, which the caller adds up.
CREATE OR REPLACE FUNCTION tally_now(p_kinds text[], p_zone text DEFAULT 'UTC')
RETURNS TABLE (kind text, key text, metric text, at timestamp, n bigint) LANGUAGE sql STABLE AS $$
  SELECT kind, key, metric, at, n FROM tally WHERE kind = ANY (p_kinds)
  UNION ALL
  SELECT kind, key, metric, at, n FROM tally_of(ARRAY(SELECT d FROM tally_delta d), p_kinds, p_zone)
$$;

-- Moves open deltas into the tally. Returns their number; 0 while another process does it.
CREATE OR REPLACE FUNCTION compact_tally(p_zone text DEFAULT 'UTC', p_limit integer DEFAULT 20000) RETURNS integer LANGUAGE sql AS $$
  WITH taken AS (
    DELETE FROM tally_delta d
     WHERE id IN (SELECT id FROM tally_delta WHERE (SELECT pg_try_advisory_xact_lock(7105)) ORDER BY id LIMIT p_limit)
    RETURNING d AS delta
  ), added AS (
    INSERT INTO tally AS t (kind, key, metric, at, n)
    SELECT * FROM tally_of(ARRAY(SELECT delta FROM taken),
                           '{level,host,total,hour,day,host_day,reviewer_day,reason_day,bot,bot_day}', p_zone)
    ON CONFLICT (kind, key, metric, at) DO UPDATE SET n = t.n + excluded.n
  )
  SELECT count(*)::int FROM taken
$$;

-- Row triggers, because most changes are of one row, and a transition table costs more than the delta.
-- Each trigger adds the new row and subtracts the old one. A stored post counts as unreviewed, and its standing review moves
-- it from there at the time of the review; an undo takes that back. A deletion subtracts the post and leaves its events. A
-- review by a filter has no host and no reviewer; a reviewer's rejection has the id of its reason, or ''.
CREATE OR REPLACE FUNCTION tally_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE'
     OR (NEW.stream_id, NEW.instance, NEW.media_count > 0) IS DISTINCT FROM (OLD.stream_id, OLD.instance, OLD.media_count > 0) THEN
    INSERT INTO tally_delta (event, at, n, stream_id, host, media, state)
    SELECT CASE TG_OP WHEN 'INSERT' THEN 'fetched' END, coalesce(NEW.fetched_at, now()), n, coalesce(stream_id, 0), host, media,
           CASE WHEN TG_OP <> 'DELETE' OR approved IS NULL THEN 'unreviewed' WHEN approved THEN 'approved'
                WHEN OLD.auto_reject_reason IS NULL THEN 'rejected' ELSE 'auto_rejected' END
      FROM (VALUES (1, NEW.stream_id, NEW.instance, NEW.media_count > 0, NEW.approved),
                   (-1, OLD.stream_id, OLD.instance, OLD.media_count > 0, OLD.approved)) v (n, stream_id, host, media, approved)
     WHERE host IS NOT NULL;
  END IF;
  IF TG_OP <> 'DELETE' AND coalesce(NEW.approved, OLD.approved) IS NOT NULL
     AND (NEW.stream_id, NEW.instance, NEW.approved, NEW.auto_reject_reason, NEW.reject_reason_id, NEW.reviewed_at,
          NEW.reviewed_by_member, NEW.reviewed_by) IS DISTINCT FROM
         (OLD.stream_id, OLD.instance, OLD.approved, OLD.auto_reject_reason, OLD.reject_reason_id, OLD.reviewed_at,
          OLD.reviewed_by_member, OLD.reviewed_by) THEN
    INSERT INTO tally_delta (event, at, n, stream_id, was, state, host, reviewer, reason)
    SELECT review, at, n, coalesce(stream_id, 0), 'unreviewed', review,
           CASE WHEN review <> 'auto_rejected' THEN host END,
           CASE WHEN review <> 'auto_rejected' THEN coalesce(member_id, 0) || ':' || coalesce(name, '') END,
           CASE review WHEN 'rejected' THEN coalesce(reason_id::text, '') END
      FROM (VALUES (1, NEW.stream_id, NEW.instance, NEW.approved, NEW.auto_reject_reason, NEW.reject_reason_id,
                    NEW.reviewed_at, NEW.reviewed_by_member, NEW.reviewed_by),
                   (-1, OLD.stream_id, OLD.instance, OLD.approved, OLD.auto_reject_reason, OLD.reject_reason_id,
                    OLD.reviewed_at, OLD.reviewed_by_member, OLD.reviewed_by))
           v (n, stream_id, host, approved, auto, reason_id, at, member_id, name),
           LATERAL (SELECT CASE WHEN approved THEN 'approved' WHEN auto IS NULL THEN 'rejected' ELSE 'auto_rejected' END) r (review)
     WHERE approved IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER tally_post AFTER INSERT OR DELETE OR UPDATE OF stream_id, instance, media_count, approved,
    auto_reject_reason, reject_reason_id, reviewed_at, reviewed_by_member, reviewed_by
  ON post FOR EACH ROW EXECUTE FUNCTION tally_post();

-- The host of a delivery is the part after "@" of the author. An undo restores failed entries by inserting them. Entries of a
-- deleted stream count under "no stream" (0).
CREATE OR REPLACE FUNCTION tally_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR NEW.stream_id IS DISTINCT FROM OLD.stream_id THEN
    INSERT INTO tally_delta (n, stream_id, state)
    SELECT n, coalesce(stream_id, 0), coalesce(OLD.state, NEW.state)
      FROM (VALUES (-1, OLD.post_id, OLD.stream_id), (1, NEW.post_id, NEW.stream_id)) v (n, id, stream_id)
     WHERE id IS NOT NULL;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.state <> OLD.state THEN
    INSERT INTO tally_delta (event, at, n, stream_id, was, state, host, api_key_id)
    VALUES (
      CASE WHEN NEW.state = 'delivered' THEN 'delivered' WHEN NEW.state = 'error' THEN 'errors'
           WHEN NEW.nacks > OLD.nacks THEN 'nacks' WHEN NEW.timeouts > OLD.timeouts THEN 'timeouts' END,
      coalesce(CASE NEW.state WHEN 'delivered' THEN NEW.delivered_at WHEN 'error' THEN NEW.errored_at END, now()),
      1, coalesce(NEW.stream_id, 0), OLD.state, NEW.state,
      CASE NEW.state WHEN 'delivered' THEN substring(NEW.author_key FROM '[^@]*$') END,
      -- The key that settled the post, or had it when it was returned or timed out. None: a member.
      CASE NEW.state WHEN 'pending' THEN OLD.lease_key_id ELSE NEW.lease_key_id END
    );
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER tally_entry AFTER INSERT OR DELETE OR UPDATE OF state, stream_id
  ON queue_entry FOR EACH ROW EXECUTE FUNCTION tally_entry();
