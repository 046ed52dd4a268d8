-- Choice of a post from a pool (pool.sql). Each stream is a range of an index in the order of the choice; the ranges are merged.
-- A column BETWEEN one value, and the order by it: with "=", the planner may take an index in another order.

-- The posts of a topical pool, oldest first or shuffled; null if more than 5 000 have its tags. Only the GIN index is of use.
CREATE OR REPLACE FUNCTION queue_tagged(pool queue_pool, p_random boolean) RETURNS integer[]
LANGUAGE plpgsql VOLATILE SET enable_indexscan = off SET enable_bitmapscan = on AS $$
BEGIN
  RETURN (
    SELECT CASE WHEN count(*) <= 5000 THEN
             coalesce(array_agg(post_id ORDER BY CASE WHEN p_random THEN random() END, approved_at, post_id)
                      FILTER (WHERE is_in_pool(q, pool)), '{}') END
      FROM (SELECT * FROM queue_entry WHERE is_ready(queue_entry) AND tags && pool.tags LIMIT 5001) q);
END $$;

-- Locks the oldest post of the pool, or the oldest of a random one's author. Skips locked posts; null when no other is left.
-- Random: the posts in a window of keys at a random place, accepted with their number / 64; the first window has all keys
-- (docs/decisions/0003-uniform-random-choice.md).
CREATE OR REPLACE FUNCTION queue_choose(pool queue_pool, p_random boolean) RETURNS integer
LANGUAGE plpgsql VOLATILE SET enable_sort = off AS $$
DECLARE
  is_random boolean := p_random;
  candidates integer[] := CASE WHEN pool.tags IS NOT NULL THEN queue_tagged(pool, p_random) END;
  is_all boolean := candidates IS NOT NULL;
  reach integer := 16;
  low float8 := 0;
  width float8 := 1;
  last_key float8;
  author text;
  found_id integer;
BEGIN
  LOOP
    IF is_random AND NOT is_all THEN
      FOR attempt IN 1..100 LOOP
        SELECT coalesce(array_agg(post_id ORDER BY random()), '{}'), max(random_key) INTO candidates, last_key FROM (
          (SELECT post_id, random_key FROM queue_entry q
            WHERE pool.streams = '{}' AND random_key >= low AND random_key < low + width
              AND is_ready(q) AND is_in_pool(q, pool) ORDER BY random_key LIMIT 65)
          UNION ALL
          SELECT own.* FROM unnest(pool.streams) s, LATERAL (
            SELECT post_id, random_key FROM queue_entry q
             WHERE stream_id = s AND random_key >= low AND random_key < low + width
               AND is_ready(q) AND is_in_pool(q, pool) ORDER BY random_key LIMIT 65) own
          ORDER BY random_key LIMIT 65) x;
        is_all := width = 1 AND cardinality(candidates) < 65;
        EXIT WHEN is_all OR cardinality(candidates) < 65 AND random() < cardinality(candidates) / 64.0;
        -- Aimed at 24 posts; with more than 64 the choice would not be uniform.
        width := CASE cardinality(candidates)
          WHEN 65 THEN (last_key - low) * 24 / 65 WHEN 0 THEN least(2 * width, 0.5) ELSE width END;
        low := random() * (1 + width) - width;
      END LOOP;
    ELSIF NOT is_all THEN
      candidates := ARRAY(
        SELECT post_id FROM (
          (SELECT post_id, approved_at FROM queue_entry q
            WHERE pool.streams = '{}' AND is_ready(q) AND is_in_pool(q, pool)
            ORDER BY approved_at, post_id LIMIT reach)
          UNION ALL
          SELECT own.* FROM unnest(pool.streams) s, LATERAL (
            SELECT post_id, approved_at FROM queue_entry q
             WHERE stream_id BETWEEN s AND s AND is_ready(q) AND is_in_pool(q, pool)
             ORDER BY stream_id, approved_at, post_id LIMIT reach) own) x
         ORDER BY approved_at, post_id LIMIT reach);
      is_all := cardinality(candidates) < reach;
      reach := 16 * reach;
    END IF;
    FOR i IN 1..cardinality(candidates) LOOP
      IF is_random THEN
        SELECT author_key INTO author FROM queue_entry WHERE post_id = candidates[i];
        SELECT post_id INTO found_id FROM queue_entry q
         WHERE author_key BETWEEN author AND author AND is_ready(q) AND is_in_pool(q, pool)
         ORDER BY author_key, approved_at, post_id LIMIT 1 FOR UPDATE SKIP LOCKED;
      ELSE
        SELECT post_id INTO found_id FROM queue_entry q
         WHERE post_id = candidates[i] AND is_ready(q) AND is_in_pool(q, pool) FOR UPDATE SKIP LOCKED;
      END IF;
      IF found_id IS NOT NULL THEN RETURN found_id; END IF;
    END LOOP;
    IF is_all THEN RETURN NULL; END IF;
    is_random := false;
  END LOOP;
END $$;
