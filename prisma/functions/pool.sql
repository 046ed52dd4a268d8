-- A pool (queue_pool) is the posts that a call may have now: streams, empty for all; tags, topical hashtags, null for all posts; since, the time after which they were confirmed. The
-- order of a choice is no part of it; recheck, whether a change of the lists is not yet in the holds of all entries. is_ready, is_ready_once_confirmed and is_in_pool are inlined, so that indexes with
-- these conditions are used.

CREATE OR REPLACE FUNCTION is_ready(e queue_entry) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT e.state = 'pending' AND e.holds = 0 AND e.not_before IS NULL
$$;

CREATE OR REPLACE FUNCTION is_ready_once_confirmed(e queue_entry) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT e.state = 'pending' AND e.holds & ~4 = 0 AND e.not_before IS NULL
$$;

-- Says nothing about is_ready.
CREATE OR REPLACE FUNCTION is_in_pool(e queue_entry, p queue_pool) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT e.confirmed_at > p.since AND (NOT p.recheck OR hold_bits(e.author_key, e.tags, e.related, e.missing) = 0)
     AND (cardinality(p.streams) = 0 OR e.stream_id = ANY (p.streams)) AND (p.tags IS NULL OR e.tags && p.tags)
$$;

-- p_at: the time whose day is topical.
CREATE OR REPLACE FUNCTION queue_pool_of(
  p_streams integer[], p_is_topical boolean DEFAULT false, p_time_zone text DEFAULT 'UTC', p_since timestamptz DEFAULT '-infinity',
  p_at timestamptz DEFAULT now()
) RETURNS queue_pool LANGUAGE plpgsql STABLE AS $$
DECLARE
  pool queue_pool;
BEGIN
  SELECT EXISTS (SELECT FROM hold_change), p_streams, NULL, p_since INTO pool;
  IF p_is_topical THEN
    pool.tags := ARRAY(
      SELECT hashtag_folded FROM topical_tag
       WHERE day_of_week = extract(dow FROM p_at AT TIME ZONE p_time_zone)
          OR month_day = to_char(p_at AT TIME ZONE p_time_zone, 'MM-DD'));
  END IF;
  RETURN pool;
END $$;

-- When the first kept-back post of a pool returns; null for none among the first hundred.
CREATE OR REPLACE FUNCTION queue_next_return(p_pool queue_pool) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT min(q.not_before)
    FROM (SELECT * FROM queue_entry WHERE not_before IS NOT NULL ORDER BY not_before LIMIT 100) q
   WHERE q.state = 'pending' AND q.holds = 0 AND is_in_pool(q::queue_entry, p_pool)
$$;
