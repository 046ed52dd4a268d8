-- queue_topic has a row for each topical rule that an eligible or unconfirmed (hold 4) entry matches; ready: eligible.
-- Lock 7102: see blocks.sql.

CREATE OR REPLACE FUNCTION sync_queue_topics() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (OLD.state = 'pending' AND OLD.not_before IS NULL, OLD.holds = 0, OLD.holds & ~4 = 0, OLD.tags, OLD.missing, OLD.stream_id, OLD.approved_at)
       IS NOT DISTINCT FROM
       (NEW.state = 'pending' AND NEW.not_before IS NULL, NEW.holds = 0, NEW.holds & ~4 = 0, NEW.tags, NEW.missing, NEW.stream_id, NEW.approved_at)
    THEN
      RETURN NULL;
    END IF;
    DELETE FROM queue_topic WHERE post_id = OLD.post_id;
  END IF;
  IF NEW.state = 'pending' AND NEW.holds & ~4 = 0 AND NEW.not_before IS NULL THEN
    PERFORM pg_advisory_xact_lock_shared(7102);
    INSERT INTO queue_topic (tag, post_id, approved_at, stream_id, missing, random_key, ready)
    SELECT hashtag_folded, NEW.post_id, NEW.approved_at, NEW.stream_id, NEW.missing, NEW.random_key, NEW.holds = 0
    FROM topical_tag WHERE hashtag_folded = ANY (NEW.tags);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER queue_topics AFTER INSERT OR UPDATE ON queue_entry FOR EACH ROW EXECUTE FUNCTION sync_queue_topics();

-- For at most p_limit eligible or unconfirmed entries with p_after < post_id <= p_to. Locked entries are skipped: a reservation in
-- progress would leave a row for an entry that is no longer eligible.
CREATE OR REPLACE FUNCTION insert_topics(p_tag text, p_after integer, p_to integer, p_limit integer) RETURNS integer
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  n integer;
BEGIN
  -- EXECUTE plans anew: a window is best read by id, the whole queue by hashtag.
  EXECUTE
    'WITH free AS MATERIALIZED (
       SELECT post_id, approved_at, stream_id, missing, random_key, holds = 0 AS ready FROM queue_entry q
        WHERE tags @> ARRAY[$1] AND state = ''pending'' AND holds & ~4 = 0 AND not_before IS NULL
          AND post_id > $2 AND post_id <= $3
          AND NOT EXISTS (SELECT FROM queue_topic t WHERE t.post_id = q.post_id AND t.tag = $1)
        LIMIT $4 FOR UPDATE SKIP LOCKED)
     INSERT INTO queue_topic (tag, post_id, approved_at, stream_id, missing, random_key, ready)
     SELECT $1, post_id, approved_at, stream_id, missing, random_key, ready FROM free
     ON CONFLICT DO NOTHING' USING p_tag, p_after, p_to, p_limit;
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

-- Whether such an entry still lacks its row.
CREATE OR REPLACE FUNCTION topics_missing(p_tag text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM queue_entry q
     WHERE tags @> ARRAY[p_tag] AND state = 'pending' AND holds & ~4 = 0 AND not_before IS NULL
       AND NOT EXISTS (SELECT FROM queue_topic t WHERE t.post_id = q.post_id AND t.tag = p_tag));
END $$;

-- At most p_limit rows; returns their number.
CREATE OR REPLACE FUNCTION drop_topics(p_tag text, p_limit integer) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  n integer;
BEGIN
  DELETE FROM queue_topic WHERE ctid = ANY (ARRAY(SELECT ctid FROM queue_topic WHERE tag = p_tag LIMIT p_limit));
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

-- Changes at most 2 000 rows and leaves the rest to batches: a frequent hashtag would hold the exclusive lock for 20
-- s and block every approval and reservation.
CREATE OR REPLACE FUNCTION apply_topical_tag() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at_once CONSTANT integer := 2000;
  tag_changed text := CASE TG_OP WHEN 'DELETE' THEN OLD.hashtag_folded ELSE NEW.hashtag_folded END;
  done integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7102);
  IF TG_OP = 'DELETE' THEN
    done := drop_topics(tag_changed, at_once);
  ELSE
    done := insert_topics(tag_changed, 0, 2147483647, at_once);
  END IF;
  IF done = at_once OR (TG_OP = 'INSERT' AND topics_missing(tag_changed)) THEN
    INSERT INTO block_change (kind, pattern_type, patterns, started, cursor_post_id)
    VALUES ('topic', 'exact', ARRAY[tag_changed], true, 0);
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE OR REPLACE TRIGGER topical_tag_apply BEFORE INSERT OR DELETE ON topical_tag FOR EACH ROW EXECUTE FUNCTION apply_topical_tag();

-- outcome as in apply_block_batch.
CREATE OR REPLACE FUNCTION apply_topic_batch(p_change integer, p_read integer, p_write integer)
RETURNS TABLE (outcome text, looked_at integer, changed integer) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  c block_change;
  tag text;
  last_id integer;
  seen integer := 0;
  written integer;
  span CONSTANT integer := 4 * p_write;
  result text := 'more';
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7102);
  SELECT * INTO c FROM block_change WHERE id = p_change FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN QUERY SELECT CASE WHEN EXISTS (SELECT FROM block_change WHERE id = p_change) THEN 'busy' ELSE 'done' END, 0, 0;
    RETURN;
  END IF;
  tag := c.patterns[1];
  IF NOT EXISTS (SELECT FROM topical_tag WHERE hashtag_folded = tag) THEN
    written := drop_topics(tag, p_write);
    IF written < p_write THEN result := 'done'; END IF;
  ELSIF c.cursor_post_id IS NOT NULL THEN
    SELECT max(post_id), count(*) INTO last_id, seen FROM (
      SELECT post_id FROM queue_entry WHERE post_id > c.cursor_post_id ORDER BY post_id LIMIT span) here;
    written := insert_topics(tag, c.cursor_post_id, coalesce(last_id, 0), span);
    c.cursor_post_id := CASE WHEN seen = span THEN last_id END;
  ELSE
    written := insert_topics(tag, 0, 2147483647, p_write);
    IF written < p_write THEN
      result := CASE WHEN NOT topics_missing(tag) THEN 'done' WHEN written = 0 THEN 'waiting' ELSE 'more' END;
    END IF;
  END IF;
  IF result = 'done' THEN
    DELETE FROM block_change WHERE id = p_change;
  ELSE
    UPDATE block_change SET cursor_post_id = c.cursor_post_id, changed = c.changed + written WHERE id = p_change;
  END IF;
  RETURN QUERY SELECT result, seen, written;
END $$;
