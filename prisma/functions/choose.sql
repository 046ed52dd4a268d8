-- Choice of a post from a pool (pool.sql). Each value of missing, and of stream, is a range of an index in the order of the
-- choice; the ranges are merged.

-- All posts of a topical pool, oldest first; null if more than 5 000 have its tags. enable_indexscan = off: only the GIN
-- index is of use.
CREATE OR REPLACE FUNCTION queue_tagged(p_pool queue_pool) RETURNS integer[] LANGUAGE plpgsql STABLE SET enable_indexscan = off AS $$
BEGIN
  RETURN (
    SELECT CASE WHEN count(*) <= 5000
                THEN coalesce(array_agg(q.post_id ORDER BY q.approved_at, q.post_id) FILTER (WHERE is_in_pool(q, p_pool)), '{}') END
      FROM (SELECT * FROM queue_entry WHERE is_ready(queue_entry) AND tags && p_pool.tags LIMIT 5001) q);
END $$;

-- The oldest p_width posts of a pool, or all of a small topical one. BETWEEN, not =: the order then needs the index with
-- missing. Where most posts have the same value, the planner otherwise takes the index without it and reads the whole queue
-- for a value that no post has. Here and below, a condition of the pool alone stands outside its branch, where it does not
-- make the planner expect few rows.
CREATE OR REPLACE FUNCTION queue_oldest(p_pool queue_pool, p_width integer) RETURNS integer[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  tagged integer[] := CASE WHEN p_pool.tags IS NOT NULL THEN queue_tagged(p_pool) END;
  is_limited CONSTANT boolean := cardinality(p_pool.streams) > 0;
BEGIN
  RETURN coalesce(tagged, ARRAY(
    SELECT x.post_id FROM unnest(CASE WHEN is_limited THEN p_pool.streams ELSE '{0}' END) s, generate_series(0, 7) l, LATERAL (
      SELECT * FROM (
        SELECT q.post_id, q.approved_at FROM queue_entry q
         WHERE is_ready(q) AND q.missing BETWEEN l AND l AND (p_pool.tags IS NULL OR q.tags && p_pool.tags)
         ORDER BY q.missing, q.approved_at, q.post_id LIMIT p_width) every WHERE NOT is_limited
      UNION ALL
      SELECT * FROM (
        SELECT q.post_id, q.approved_at FROM queue_entry q
         WHERE is_ready(q) AND q.stream_id = s AND q.missing BETWEEN l AND l AND (p_pool.tags IS NULL OR q.tags && p_pool.tags)
         ORDER BY q.missing, q.approved_at, q.post_id LIMIT p_width) own WHERE is_limited) x
     WHERE l & p_pool.mask = 0 ORDER BY x.approved_at, x.post_id LIMIT p_width));
END $$;

-- At most 65 posts with p_from <= random_key < p_to, in key order. The first branch reads its index alone.
CREATE OR REPLACE FUNCTION queue_slice(p_pool queue_pool, p_from float8, p_to float8)
RETURNS TABLE (post_id integer, random_key float8) LANGUAGE plpgsql STABLE AS $$
DECLARE
  is_limited CONSTANT boolean := cardinality(p_pool.streams) > 0;
BEGIN
  RETURN QUERY
    SELECT x.post_id, x.random_key
      FROM unnest(CASE WHEN is_limited THEN p_pool.streams ELSE '{0}' END) s, generate_series(0, 7) l, LATERAL (
      SELECT * FROM (
        SELECT q.post_id, q.random_key FROM queue_entry q
         WHERE is_ready(q) AND q.missing = l AND q.random_key >= p_from AND q.random_key < p_to
         ORDER BY q.random_key LIMIT 65) every WHERE NOT is_limited AND p_pool.tags IS NULL
      UNION ALL
      SELECT * FROM (
        SELECT q.post_id, q.random_key FROM queue_entry q
         WHERE is_ready(q) AND q.missing = l AND q.random_key >= p_from AND q.random_key < p_to AND q.tags && p_pool.tags
         ORDER BY q.random_key LIMIT 65) topical WHERE NOT is_limited AND p_pool.tags IS NOT NULL
      UNION ALL
      SELECT * FROM (
        SELECT q.post_id, q.random_key FROM queue_entry q
         WHERE is_ready(q) AND q.stream_id = s AND q.missing = l AND q.random_key >= p_from AND q.random_key < p_to
           AND (p_pool.tags IS NULL OR q.tags && p_pool.tags)
         ORDER BY q.random_key LIMIT 65) own WHERE is_limited) x
     WHERE l & p_pool.mask = 0 ORDER BY x.random_key LIMIT 65;
END $$;

-- Independent, uniform draws by windows of a fixed width. A pool of up to 64 posts, or 5 000 topical ones, is returned whole (is_all); from a
-- larger one p_count posts with replacement, or fewer when too many windows were rejected. Many windows are read in
-- one query, because most of the cost of a small read is its start. force_generic_plan: a custom plan for each pair
-- of bounds would cost four times as much.
CREATE OR REPLACE FUNCTION queue_draws(
  p_pool queue_pool, p_count integer,
  OUT drawn integer[], OUT is_all boolean
) LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  allowed integer[] := ARRAY(SELECT l FROM generate_series(0, 7) l WHERE l & p_pool.mask = 0);
  is_plain boolean := p_pool.tags IS NULL AND cardinality(p_pool.streams) = 0;
  last_key float8;
  width float8;
  window_count integer;
  hit_count integer;
  hit record;
BEGIN
  IF p_pool.tags IS NOT NULL THEN
    drawn := queue_tagged(p_pool);
    is_all := drawn IS NOT NULL;
    IF is_all THEN RETURN; END IF;
  END IF;
  SELECT array_agg(s.post_id), max(s.random_key) INTO drawn, last_key FROM queue_slice(p_pool, 0, 1) s;
  drawn := coalesce(drawn, '{}');
  is_all := cardinality(drawn) <= 64;
  IF is_all THEN RETURN; END IF;
  drawn := '{}';
  -- 65 posts lie within last_key. Aim at 24 in a window; with more than 64 the choice is not uniform.
  width := least(last_key * 24 / 65, 0.5);
  FOR attempt IN 1..60 LOOP
    window_count := ceil((p_count - cardinality(drawn)) * 2.7 - 1.7)::int;
    hit_count := 0;
    FOR hit IN
      SELECT w.n, array_agg(x.post_id) FILTER (WHERE x.post_id IS NOT NULL) AS ids
        FROM (SELECT n, random() AS start FROM generate_series(1, window_count) n) w
        CROSS JOIN LATERAL (VALUES (w.start, least(w.start + width, 1)), (0, w.start + width - 1)) part (low, high)
        LEFT JOIN LATERAL (
          SELECT one.post_id FROM unnest(allowed) l (missing), LATERAL (
            SELECT q.post_id FROM queue_entry q
             WHERE is_ready(q) AND q.missing = l.missing
               AND q.random_key >= part.low AND q.random_key < part.high
             ORDER BY q.random_key LIMIT 65) one
           WHERE is_plain
          UNION ALL
          SELECT s.post_id FROM queue_slice(p_pool, part.low, part.high) s WHERE NOT is_plain
        ) x ON true
       WHERE part.high > part.low
       GROUP BY w.n ORDER BY w.n
    LOOP
      IF cardinality(hit.ids) > 64 THEN
        width := width / 2;
        hit_count := NULL;
        EXIT;
      END IF;
      hit_count := hit_count + coalesce(cardinality(hit.ids), 0);
      IF random() < cardinality(hit.ids) / 64.0 THEN
        drawn := drawn || hit.ids[1 + floor(random() * cardinality(hit.ids))::int];
        IF cardinality(drawn) >= p_count THEN RETURN; END IF;
      END IF;
    END LOOP;
    -- Keys are dense at the start of the ring: the window was too small.
    IF hit_count < 4 * window_count AND (window_count >= 8 OR attempt % 8 = 0) THEN width := least(width * 2, 0.5); END IF;
  END LOOP;
  IF drawn = '{}' THEN
    drawn := ARRAY(SELECT post_id FROM queue_slice(p_pool, 0, 1) ORDER BY random() LIMIT 1);
  END IF;
END $$;

-- Locks the oldest posts of the queue. enable_sort = off: for an unknown limit the planner may sort the whole queue.
CREATE OR REPLACE FUNCTION queue_pick_first(p_since timestamptz, p_wanted integer, p_taken integer[]) RETURNS integer[]
LANGUAGE plpgsql VOLATILE SET enable_sort = off AS $$
BEGIN
  RETURN ARRAY(
    SELECT post_id FROM queue_entry
     WHERE is_ready(queue_entry) AND confirmed_at > p_since AND post_id <> ALL (p_taken)
     ORDER BY approved_at, post_id LIMIT p_wanted FOR UPDATE SKIP LOCKED);
END $$;

-- The author rule: locks the oldest eligible post of p_drawn's author, except p_taken; null when all are locked. With
-- "=" instead of a range, the planner sorts all posts of the author.
CREATE OR REPLACE FUNCTION queue_oldest_of_author(p_drawn integer, p_pool queue_pool, p_taken integer[])
RETURNS integer LANGUAGE plpgsql VOLATILE SET enable_sort = off AS $$
DECLARE
  author text := (SELECT author_key FROM queue_entry WHERE post_id = p_drawn);
  found_id integer;
BEGIN
  SELECT post_id INTO found_id FROM queue_entry
   WHERE is_ready(queue_entry) AND is_in_pool(queue_entry, p_pool)
     AND author_key >= author AND author_key <= author AND post_id <> ALL (p_taken)
   ORDER BY author_key, approved_at, post_id LIMIT 1 FOR UPDATE SKIP LOCKED;
  RETURN found_id;
END $$;

-- Locks up to p_wanted drawn posts, none twice. Gives up on a large pool after eight draws of locked posts.
CREATE OR REPLACE FUNCTION queue_pick_random(p_pool queue_pool, p_wanted integer, p_taken integer[]) RETURNS integer[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  picked integer[] := '{}';
  drawn integer[];
  is_all boolean;
  candidate integer;
  found_id integer;
  failures integer := 0;
BEGIN
  FOR attempt IN 1..8 LOOP
    SELECT d.drawn, d.is_all INTO drawn, is_all
      FROM queue_draws(p_pool, p_wanted - cardinality(picked)) d;
    IF is_all THEN drawn := ARRAY(SELECT unnest(drawn) EXCEPT SELECT unnest(p_taken || picked)); END IF;
    WHILE cardinality(drawn) > 0 LOOP
      candidate := drawn[CASE WHEN is_all THEN 1 + floor(random() * cardinality(drawn))::int ELSE 1 END];
      IF NOT is_all THEN drawn := drawn[2:]; END IF;
      CONTINUE WHEN candidate = ANY (p_taken || picked);
      found_id := queue_oldest_of_author(candidate, p_pool, p_taken || picked);
      IF found_id IS NULL THEN
        failures := failures + 1;
        IF is_all THEN drawn := array_remove(drawn, candidate);
        ELSIF failures >= 8 THEN RETURN picked;
        END IF;
      ELSE
        picked := picked || found_id;
        IF is_all THEN drawn := array_remove(drawn, found_id); END IF;
        IF cardinality(picked) >= p_wanted THEN RETURN picked; END IF;
      END IF;
    END LOOP;
    EXIT WHEN is_all;
  END LOOP;
  RETURN picked;
END $$;

-- Locks up to p_wanted posts of a pool, random or the oldest, except p_taken. Skips posts that other calls have locked.
CREATE OR REPLACE FUNCTION queue_pick(p_pool queue_pool, p_random boolean, p_wanted integer, p_taken integer[]) RETURNS integer[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  picked integer[] := '{}';
  candidates integer[];
  width integer := 8;
BEGIN
  IF p_pool.tags = '{}' THEN RETURN picked; END IF;
  IF p_random THEN
    picked := queue_pick_random(p_pool, p_wanted, p_taken);
    IF cardinality(picked) = p_wanted THEN RETURN picked; END IF;
    -- Drawn posts were locked: the oldest free ones follow.
    RETURN picked || queue_pick(p_pool, false, p_wanted - cardinality(picked), p_taken || picked);
  END IF;
  IF p_pool.mask = 0 AND p_pool.tags IS NULL AND p_pool.streams = '{}' THEN
    RETURN queue_pick_first(p_pool.since, p_wanted, p_taken);
  END IF;
  -- Widen the search while candidates are locked.
  LOOP
    width := width + p_wanted + cardinality(p_taken);
    candidates := queue_oldest(p_pool, width);
    picked := ARRAY(
      SELECT q.post_id FROM queue_entry q
       WHERE q.post_id = ANY (candidates) AND q.post_id <> ALL (p_taken) AND is_ready(q) AND is_in_pool(q, p_pool)
       ORDER BY q.approved_at, q.post_id LIMIT p_wanted FOR UPDATE SKIP LOCKED);
    IF cardinality(picked) = p_wanted OR cardinality(candidates) < width THEN RETURN picked; END IF;
    width := 16 * width;
  END LOOP;
END $$;
