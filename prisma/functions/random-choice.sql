-- Uniform random choice (docs/decisions/0003-uniform-random-choice.md) from a pool (pool.sql).

-- At most 65 posts with p_from <= random_key < p_to, in key order.
CREATE OR REPLACE FUNCTION queue_slice(p_pool queue_pool, p_from float8, p_to float8)
RETURNS TABLE (post_id integer, random_key float8) LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_pool.tags IS NOT NULL AND cardinality(p_pool.streams) > 0 THEN
    RETURN QUERY
      SELECT x.post_id, x.random_key FROM unnest(p_pool.tags) tag, unnest(p_pool.streams) stream, generate_series(0, 7) l,
        LATERAL (SELECT t.post_id, t.random_key FROM queue_topic t
                  WHERE t.tag = tag.tag AND t.stream_id = stream.stream AND t.missing = l AND t.ready
                    AND t.random_key >= p_from AND t.random_key < p_to ORDER BY t.random_key LIMIT 65) x
       WHERE l & p_pool.mask = 0 GROUP BY x.post_id, x.random_key ORDER BY x.random_key LIMIT 65;
  ELSIF p_pool.tags IS NOT NULL THEN
    RETURN QUERY
      SELECT x.post_id, x.random_key FROM unnest(p_pool.tags) tag, generate_series(0, 7) l,
        LATERAL (SELECT t.post_id, t.random_key FROM queue_topic t
                  WHERE t.tag = tag.tag AND t.missing = l AND t.ready AND t.random_key >= p_from AND t.random_key < p_to
                  ORDER BY t.random_key LIMIT 65) x
       WHERE l & p_pool.mask = 0 GROUP BY x.post_id, x.random_key ORDER BY x.random_key LIMIT 65;
  ELSIF cardinality(p_pool.streams) > 0 THEN
    RETURN QUERY
      SELECT x.post_id, x.random_key FROM unnest(p_pool.streams) stream, generate_series(0, 7) l,
        LATERAL (SELECT q.post_id, q.random_key FROM queue_entry q
                  WHERE is_ready(q) AND q.stream_id = stream.stream
                    AND q.missing = l AND q.random_key >= p_from AND q.random_key < p_to
                  ORDER BY q.random_key LIMIT 65) x
       WHERE l & p_pool.mask = 0 ORDER BY x.random_key LIMIT 65;
  ELSE
    RETURN QUERY
      SELECT x.post_id, x.random_key FROM generate_series(0, 7) l,
        LATERAL (SELECT q.post_id, q.random_key FROM queue_entry q
                  WHERE is_ready(q) AND q.missing = l
                    AND q.random_key >= p_from AND q.random_key < p_to ORDER BY q.random_key LIMIT 65) x
       WHERE l & p_pool.mask = 0 ORDER BY x.random_key LIMIT 65;
  END IF;
END $$;

-- Independent, uniform draws by windows of a fixed width. A pool of up to 64 posts is returned whole (is_all); from a
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

-- Null for an empty pool.
CREATE OR REPLACE FUNCTION queue_draw(p_pool queue_pool) RETURNS integer LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN is_all THEN drawn[1 + floor(random() * cardinality(drawn))::int] ELSE drawn[1] END
    FROM queue_draws(p_pool, 1)
$$;

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

-- Locks up to p_wanted posts, none twice. Gives up on a large pool after eight draws of locked posts.
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
