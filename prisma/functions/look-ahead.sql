-- Posts that a reserve will choose next, in that order, if every unconfirmed post is confirmed: the first p_count in order of approval,
-- or (p_random) on the ring of random keys from queue_ring_start() on, each with its author's oldest post. since of the pool is
-- '-infinity'. Three hours before the end of a UTC day the beginning of the next one is included.
CREATE OR REPLACE FUNCTION queue_ahead(p_pool queue_pool, p_random boolean, p_count integer) RETURNS SETOF integer
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET jit = off AS $$
DECLARE
  allowed smallint[] := ARRAY(SELECT l FROM generate_series(0, 7) l WHERE l & p_pool.mask = 0);
  soon CONSTANT timestamptz := now() + interval '3 hours';
  ring_start float8;
  drawn integer[] := '{}';
BEGIN
  IF NOT p_random THEN
    IF p_pool.tags IS NOT NULL THEN
      RETURN QUERY
        SELECT x.post_id FROM unnest(p_pool.tags) tag, unnest(allowed) l (missing),
          LATERAL (SELECT t.post_id, t.approved_at FROM queue_topic t WHERE t.tag = tag.tag AND t.missing = l.missing
                      AND (cardinality(p_pool.streams) = 0 OR t.stream_id = ANY (p_pool.streams))
                    ORDER BY t.approved_at, t.post_id LIMIT p_count) x
         GROUP BY x.post_id, x.approved_at ORDER BY x.approved_at, x.post_id LIMIT p_count;
    ELSIF cardinality(p_pool.streams) > 0 THEN
      RETURN QUERY
        SELECT x.post_id FROM unnest(p_pool.streams) stream, unnest(allowed) l (missing),
          LATERAL (SELECT q.post_id, q.approved_at FROM queue_entry q
                    WHERE is_ready_once_confirmed(q)
                      AND q.stream_id = stream.stream AND q.missing = l.missing
                    ORDER BY q.approved_at, q.post_id LIMIT p_count) x
         ORDER BY x.approved_at, x.post_id LIMIT p_count;
    ELSE
      RETURN QUERY
        SELECT x.post_id FROM unnest(allowed) l (missing),
          LATERAL (SELECT q.post_id, q.approved_at FROM queue_entry q
                    WHERE is_ready_once_confirmed(q) AND q.missing = l.missing
                    ORDER BY q.approved_at, q.post_id LIMIT p_count) x
         ORDER BY x.approved_at, x.post_id LIMIT p_count;
    END IF;
    RETURN;
  END IF;
  FOR ring_start IN SELECT DISTINCT queue_ring_start(t) FROM unnest(ARRAY[now(), soon]) t LOOP
    drawn := drawn || ARRAY(
      SELECT x.post_id FROM (VALUES (0, ring_start, 1::float8), (1, 0::float8, ring_start)) part (turn, low, high), LATERAL (
        SELECT t.post_id, t.random_key FROM unnest(p_pool.tags) tag, unnest(allowed) l (missing),
          LATERAL (SELECT t.post_id, t.random_key FROM queue_topic t
                    WHERE t.tag = tag.tag AND t.missing = l.missing AND t.random_key >= part.low AND t.random_key < part.high
                      AND (cardinality(p_pool.streams) = 0 OR t.stream_id = ANY (p_pool.streams))
                    ORDER BY t.random_key LIMIT p_count) t
         WHERE p_pool.tags IS NOT NULL
        UNION
        SELECT q.post_id, q.random_key FROM unnest(p_pool.streams) stream, unnest(allowed) l (missing),
          LATERAL (SELECT q.post_id, q.random_key FROM queue_entry q
                    WHERE is_ready_once_confirmed(q)
                      AND q.stream_id = stream.stream AND q.missing = l.missing
                      AND q.random_key >= part.low AND q.random_key < part.high
                    ORDER BY q.random_key LIMIT p_count) q
         WHERE p_pool.tags IS NULL
        UNION
        SELECT q.post_id, q.random_key FROM unnest(allowed) l (missing),
          LATERAL (SELECT q.post_id, q.random_key FROM queue_entry q
                    WHERE is_ready_once_confirmed(q) AND q.missing = l.missing
                      AND q.random_key >= part.low AND q.random_key < part.high
                    ORDER BY q.random_key LIMIT p_count) q
         WHERE p_pool.tags IS NULL AND cardinality(p_pool.streams) = 0) x
       ORDER BY part.turn, x.random_key LIMIT p_count);
  END LOOP;
  RETURN QUERY
    SELECT next.post_id FROM (
      SELECT d.post_id, d.place FROM unnest(drawn) WITH ORDINALITY d (post_id, place)
      UNION ALL
      SELECT oldest.post_id, author.place
        FROM (SELECT q.author_key, min(d.place) AS place
                FROM unnest(drawn) WITH ORDINALITY d (post_id, place) JOIN queue_entry q ON q.post_id = d.post_id
               GROUP BY q.author_key) author,
        LATERAL (SELECT q.post_id FROM queue_entry q
                  WHERE is_ready_once_confirmed(q)
                    AND q.author_key >= author.author_key AND q.author_key <= author.author_key
                    AND is_in_pool(q, p_pool)
                  ORDER BY q.author_key, q.approved_at, q.post_id LIMIT 1) oldest) next
     GROUP BY next.post_id ORDER BY min(next.place);
END $$;
