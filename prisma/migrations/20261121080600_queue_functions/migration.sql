-- The queue's moves. Each is one call and one transaction: the key is checked, the row changed, the history
-- written. plpgsql and not CTEs: every statement in a function sees what the one before it did, so a post
-- that was just swept back can be handed out by the same call.

-- Which scopes a role may use (contract §6). The same table stands in lib/auth/permissions.ts; a test
-- compares all pairs.
CREATE FUNCTION role_grants(p_role text, p_scope text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_role
    WHEN 'admin' THEN true
    WHEN 'reviewer' THEN p_scope IN ('read', 'consume', 'review', 'keys')
    WHEN 'viewer' THEN p_scope IN ('read', 'keys')
    ELSE false
  END
$$;

CREATE TYPE queue_caller AS (
  verdict text, key_id integer, member_id integer, label text, source text, stream_ids integer[], stale_use boolean
);

-- Who calls: a key by its hash, or a member whose session the web process has verified (p_key_hash null).
-- verdict: ok, invalid_key, forbidden.
CREATE FUNCTION queue_identify(p_key_hash bytea, p_member_id integer, p_label text, p_scope text)
RETURNS queue_caller LANGUAGE plpgsql STABLE AS $$
DECLARE
  k record;
  caller queue_caller;
BEGIN
  IF p_key_hash IS NULL THEN
    RETURN ROW('ok', NULL, p_member_id, p_label, 'screen', '{}'::integer[], false)::queue_caller;
  END IF;
  SELECT api_key.id, api_key.name, api_key.scopes, api_key.stream_ids, api_key.created_by, member.role,
         api_key.last_used_at IS NULL OR api_key.last_used_at < now() - interval '1 minute' AS stale_use
    INTO k
    FROM api_key JOIN member ON member.id = api_key.created_by
   WHERE api_key.key_hash = p_key_hash AND api_key.revoked_at IS NULL
     AND (api_key.expires_at IS NULL OR api_key.expires_at > now()) AND member.disabled_at IS NULL;
  IF NOT FOUND THEN
    caller.verdict := 'invalid_key';
  ELSIF NOT (p_scope = ANY (k.scopes) AND role_grants(k.role, p_scope)) THEN
    caller.verdict := 'forbidden';
  ELSE
    caller := ROW('ok', k.id, k.created_by, k.name, 'api', k.stream_ids, k.stale_use)::queue_caller;
  END IF;
  RETURN caller;
END $$;

-- Kept back for 1 s, 2 s, 4 s … 1 h from the fourth refusal in a row on (consumers.md); null before.
CREATE FUNCTION refusal_pause(p_refusals integer) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_refusals >= 4 THEN least(3600, power(2, least(p_refusals - 4, 20))) * interval '1 second' END
$$;

-- Timed-out reservations go back to their place, kept-back posts whose time has come are offered again.
-- At most 500 of each a call: the longest call stays short whatever piled up.
CREATE FUNCTION queue_sweep(p_backoff boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM queue_entry WHERE not_before <= now()) THEN
    UPDATE queue_entry SET not_before = NULL
     WHERE post_id IN (SELECT post_id FROM queue_entry WHERE not_before <= now()
                       ORDER BY not_before LIMIT 500 FOR UPDATE SKIP LOCKED);
  END IF;
  IF EXISTS (SELECT FROM queue_entry WHERE lease_expires_at < now()) THEN
    WITH expired AS (
      SELECT post_id, lease_label, lease_key_id, lease_member_id FROM queue_entry
       WHERE lease_expires_at < now()
       ORDER BY lease_expires_at LIMIT 500 FOR UPDATE SKIP LOCKED
    ), swept AS (
      UPDATE queue_entry q
         SET state = 'pending', lease_id = NULL, lease_key_id = NULL, lease_member_id = NULL, lease_label = NULL,
             reserved_at = NULL, lease_expires_at = NULL, timeouts = q.timeouts + 1, refusals = q.refusals + 1,
             not_before = CASE WHEN p_backoff THEN now() + refusal_pause(q.refusals + 1) END
        FROM expired e WHERE q.post_id = e.post_id
      RETURNING q.post_id, e.lease_label, e.lease_key_id
    )
    INSERT INTO post_event (post_id, actor, source, action, from_state, to_state, note)
    SELECT post_id, 'Sluice', 'service', 'time_out', 'reserved', 'pending', lease_label FROM swept;
  END IF;
END $$;

-- One post out of a pool that no single index gives in order. p_tags: topical tags or null. p_streams: the
-- key's streams or empty. Reads at most p_width rows for each combination of tag, stream and lacks.
CREATE FUNCTION queue_oldest_of(p_mask integer, p_streams integer[], p_tags text[], p_width integer)
RETURNS SETOF integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_tags IS NOT NULL AND cardinality(p_streams) > 0 THEN
    RETURN QUERY
      SELECT x.post_id FROM unnest(p_tags) tag, unnest(p_streams) stream, generate_series(0, 7) l,
        LATERAL (SELECT t.post_id, t.approved_at FROM queue_topic t
                  WHERE t.tag = tag.tag AND t.stream_id = stream.stream AND t.lacks = l
                  ORDER BY t.approved_at, t.post_id LIMIT p_width) x
       WHERE l & p_mask = 0 GROUP BY x.post_id, x.approved_at ORDER BY x.approved_at, x.post_id;
  ELSIF p_tags IS NOT NULL THEN
    RETURN QUERY
      SELECT x.post_id FROM unnest(p_tags) tag, generate_series(0, 7) l,
        LATERAL (SELECT t.post_id, t.approved_at FROM queue_topic t
                  WHERE t.tag = tag.tag AND t.lacks = l ORDER BY t.approved_at, t.post_id LIMIT p_width) x
       WHERE l & p_mask = 0 GROUP BY x.post_id, x.approved_at ORDER BY x.approved_at, x.post_id;
  ELSIF cardinality(p_streams) > 0 THEN
    RETURN QUERY
      SELECT x.post_id FROM unnest(p_streams) stream, generate_series(0, 7) l,
        LATERAL (SELECT q.post_id, q.approved_at FROM queue_entry q
                  WHERE q.state = 'pending' AND q.holds = 0 AND q.not_before IS NULL
                    AND q.stream_id = stream.stream AND q.lacks = l
                  ORDER BY q.approved_at, q.post_id LIMIT p_width) x
       WHERE l & p_mask = 0 ORDER BY x.approved_at, x.post_id;
  ELSE
    RETURN QUERY
      SELECT x.post_id FROM generate_series(0, 7) l,
        LATERAL (SELECT q.post_id, q.approved_at FROM queue_entry q
                  WHERE q.state = 'pending' AND q.holds = 0 AND q.not_before IS NULL AND q.lacks = l
                  ORDER BY q.approved_at, q.post_id LIMIT p_width) x
       WHERE l & p_mask = 0 ORDER BY x.approved_at, x.post_id;
  END IF;
END $$;

-- Posts of a pool whose random key lies in [p_from, p_to), at most 65 of them in key order.
CREATE FUNCTION queue_slice(p_mask integer, p_streams integer[], p_tags text[], p_from float8, p_to float8)
RETURNS TABLE (post_id integer, random_key float8) LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_tags IS NOT NULL AND cardinality(p_streams) > 0 THEN
    RETURN QUERY
      SELECT x.post_id, x.random_key FROM unnest(p_tags) tag, unnest(p_streams) stream, generate_series(0, 7) l,
        LATERAL (SELECT t.post_id, t.random_key FROM queue_topic t
                  WHERE t.tag = tag.tag AND t.stream_id = stream.stream AND t.lacks = l
                    AND t.random_key >= p_from AND t.random_key < p_to ORDER BY t.random_key LIMIT 65) x
       WHERE l & p_mask = 0 GROUP BY x.post_id, x.random_key ORDER BY x.random_key LIMIT 65;
  ELSIF p_tags IS NOT NULL THEN
    RETURN QUERY
      SELECT x.post_id, x.random_key FROM unnest(p_tags) tag, generate_series(0, 7) l,
        LATERAL (SELECT t.post_id, t.random_key FROM queue_topic t
                  WHERE t.tag = tag.tag AND t.lacks = l AND t.random_key >= p_from AND t.random_key < p_to
                  ORDER BY t.random_key LIMIT 65) x
       WHERE l & p_mask = 0 GROUP BY x.post_id, x.random_key ORDER BY x.random_key LIMIT 65;
  ELSIF cardinality(p_streams) > 0 THEN
    RETURN QUERY
      SELECT x.post_id, x.random_key FROM unnest(p_streams) stream, generate_series(0, 7) l,
        LATERAL (SELECT q.post_id, q.random_key FROM queue_entry q
                  WHERE q.state = 'pending' AND q.holds = 0 AND q.not_before IS NULL AND q.stream_id = stream.stream
                    AND q.lacks = l AND q.random_key >= p_from AND q.random_key < p_to
                  ORDER BY q.random_key LIMIT 65) x
       WHERE l & p_mask = 0 ORDER BY x.random_key LIMIT 65;
  ELSE
    RETURN QUERY
      SELECT x.post_id, x.random_key FROM generate_series(0, 7) l,
        LATERAL (SELECT q.post_id, q.random_key FROM queue_entry q
                  WHERE q.state = 'pending' AND q.holds = 0 AND q.not_before IS NULL AND q.lacks = l
                    AND q.random_key >= p_from AND q.random_key < p_to ORDER BY q.random_key LIMIT 65) x
       WHERE l & p_mask = 0 ORDER BY x.random_key LIMIT 65;
  END IF;
END $$;

-- A post of the pool, each with exactly the same chance, in a bounded number of reads whatever its size.
-- Up to 64 posts: all are read, one is taken. More: a window of fixed length is laid at a random place of
-- the ring of keys; with c posts in it, it counts with probability c/64, and one of the c is taken. A post
-- lies in the window with probability (length), is taken then with 1/c · c/64: the gaps between keys cancel
-- out, which taking "the next key after a random point" would not do. Null when the pool is empty.
CREATE FUNCTION queue_draw(p_mask integer, p_streams integer[], p_tags text[]) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  ids integer[];
  last_key float8;
  start float8;
  width float8;
  n integer;
BEGIN
  SELECT array_agg(s.post_id), max(s.random_key) INTO ids, last_key FROM queue_slice(p_mask, p_streams, p_tags, 0, 1) s;
  n := coalesce(cardinality(ids), 0);
  IF n = 0 THEN RETURN NULL; END IF;
  IF n <= 64 THEN RETURN ids[1 + floor(random() * n)::int]; END IF;
  -- 65 posts within last_key of the ring: aim at 24 in a window, far below the 64 that must never be passed.
  width := least(last_key * 24 / 65, 0.5);
  FOR attempt IN 1..60 LOOP
    start := random();
    IF start + width <= 1 THEN
      SELECT array_agg(s.post_id) INTO ids FROM queue_slice(p_mask, p_streams, p_tags, start, start + width) s;
    ELSE
      SELECT array_agg(s.post_id) INTO ids FROM (
        SELECT post_id FROM queue_slice(p_mask, p_streams, p_tags, start, 1)
        UNION ALL SELECT post_id FROM queue_slice(p_mask, p_streams, p_tags, 0, start + width - 1)) s;
    END IF;
    n := coalesce(cardinality(ids), 0);
    IF n > 64 THEN
      width := width / 2;
    ELSIF random() < n / 64.0 THEN
      RETURN ids[1 + floor(random() * n)::int];
    ELSIF n < 4 AND attempt % 8 = 0 THEN
      -- Keys bunched up at the first look: the window was measured too small.
      width := least(width * 2, 0.5);
    END IF;
  END LOOP;
  RETURN (SELECT post_id FROM queue_slice(p_mask, p_streams, p_tags, 0, 1) ORDER BY random() LIMIT 1);
END $$;

-- Locks one post of the pool for the caller, or null. Never waits: what others hold is passed over.
CREATE FUNCTION queue_pick(p_random boolean, p_mask integer, p_streams integer[], p_tags text[])
RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  candidate integer;
  author text;
  found_id integer;
  width integer;
BEGIN
  IF p_random THEN
    FOR attempt IN 1..8 LOOP
      candidate := queue_draw(p_mask, p_streams, p_tags);
      IF candidate IS NULL THEN RETURN NULL; END IF;
      SELECT author_key INTO author FROM queue_entry WHERE post_id = candidate;
      SELECT post_id INTO found_id FROM queue_entry
       WHERE state = 'pending' AND holds = 0 AND not_before IS NULL AND author_key = author
         AND lacks & p_mask = 0
         AND (cardinality(p_streams) = 0 OR stream_id = ANY (p_streams))
         AND (p_tags IS NULL OR tags && p_tags)
       ORDER BY approved_at, post_id LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF found_id IS NOT NULL THEN RETURN found_id; END IF;
    END LOOP;
    -- Others are at work on everything drawn: fall through to the oldest that is free.
  END IF;
  IF p_mask = 0 AND cardinality(p_streams) = 0 AND p_tags IS NULL THEN
    SELECT post_id INTO found_id FROM queue_entry
     WHERE state = 'pending' AND holds = 0 AND not_before IS NULL
     ORDER BY approved_at, post_id LIMIT 1 FOR UPDATE SKIP LOCKED;
    RETURN found_id;
  END IF;
  -- Narrow first; wide only when every candidate was in another's hands.
  FOREACH width IN ARRAY ARRAY[8, 256] LOOP
    FOR candidate IN SELECT * FROM queue_oldest_of(p_mask, p_streams, p_tags, width) LOOP
      SELECT post_id INTO found_id FROM queue_entry
       WHERE post_id = candidate AND state = 'pending' AND holds = 0 AND not_before IS NULL AND lacks & p_mask = 0
         FOR UPDATE SKIP LOCKED;
      IF found_id IS NOT NULL THEN RETURN found_id; END IF;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TYPE queue_item AS (
  outcome text, key_id integer, stale_use boolean,
  post_id integer, uri text, url text, author_account text, snippet text, hashtags text[], stream_hashtag text,
  has_attachments boolean, post_created_at timestamptz(3), approved_at timestamptz(3), is_topical boolean,
  lease_id uuid, lease_expires_at timestamptz(3), deliveries integer
);

-- GET /curated/next: identify, sweep, choose, lease, record. outcome: ok, empty, invalid_key, forbidden.
CREATE FUNCTION queue_reserve(
  p_key_hash bytea, p_member_id integer, p_label text, p_random boolean, p_include_topical boolean,
  p_topical_only boolean, p_time_zone text, p_timeout_seconds integer, p_backoff boolean
) RETURNS queue_item LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  caller queue_caller;
  item queue_item;
  mask integer;
  today timestamp;
  tags text[];
  chosen integer;
BEGIN
  caller := queue_identify(p_key_hash, p_member_id, p_label, 'consume');
  item.outcome := caller.verdict;
  IF caller.verdict <> 'ok' THEN RETURN item; END IF;
  item.key_id := caller.key_id;
  item.stale_use := caller.stale_use;
  item.is_topical := false;

  PERFORM queue_sweep(p_backoff);
  SELECT require_media::int + 2 * require_alt_text::int + 4 * auto_reject_bots::int INTO mask FROM export_setting WHERE id = 1;

  IF p_include_topical THEN
    today := now() AT TIME ZONE p_time_zone;
    SELECT array_agg(hashtag_folded) INTO tags FROM topical_tag
     WHERE day_of_week = extract(dow FROM today) OR month_day = to_char(today, 'MM-DD');
    IF tags IS NOT NULL THEN
      chosen := queue_pick(p_random, mask, caller.stream_ids, tags);
      item.is_topical := chosen IS NOT NULL;
    END IF;
  END IF;
  IF chosen IS NULL AND NOT (p_include_topical AND p_topical_only) THEN
    chosen := queue_pick(p_random, mask, caller.stream_ids, NULL);
  END IF;
  IF chosen IS NULL THEN
    item.outcome := 'empty';
    RETURN item;
  END IF;

  UPDATE queue_entry q
     SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = caller.key_id,
         lease_member_id = caller.member_id, lease_label = caller.label, reserved_at = now(),
         lease_expires_at = now() + p_timeout_seconds * interval '1 second', deliveries = q.deliveries + 1
   WHERE q.post_id = chosen
  RETURNING q.post_id, q.approved_at, q.lease_id, q.lease_expires_at, q.deliveries
       INTO item.post_id, item.approved_at, item.lease_id, item.lease_expires_at, item.deliveries;
  INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state)
  VALUES (chosen, caller.label, caller.member_id, caller.key_id, caller.source, 'reserve', 'pending', 'reserved');
  SELECT p.uri, p.url, p.author_account, p.snippet, p.hashtags, p.stream_hashtag, p.media_count > 0, p.created_at
    INTO item.uri, item.url, item.author_account, item.snippet, item.hashtags, item.stream_hashtag,
         item.has_attachments, item.post_created_at
    FROM post p WHERE p.id = chosen;
  RETURN item;
END $$;

CREATE TYPE queue_settlement AS (
  outcome text, key_id integer, stale_use boolean, state text, lease_expires_at timestamptz(3), author_key text
);

-- What ack, nack, error, extend and release do to a reserved post. outcome: ok, invalid_key, forbidden,
-- not_found, conflict (state says which), stale (another lease than those of p_lease, comma-separated, holds it).
CREATE FUNCTION queue_settle(
  p_key_hash bytea, p_member_id integer, p_label text, p_scope text, p_post_id integer, p_move text, p_lease text,
  p_reason text, p_details jsonb, p_timeout_seconds integer, p_backoff boolean
) RETURNS queue_settlement LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  caller queue_caller;
  result queue_settlement;
  entry queue_entry;
BEGIN
  caller := queue_identify(p_key_hash, p_member_id, p_label, p_scope);
  result.outcome := caller.verdict;
  IF caller.verdict <> 'ok' THEN RETURN result; END IF;
  result.key_id := caller.key_id;
  result.stale_use := caller.stale_use;

  UPDATE queue_entry q SET
    state = CASE p_move WHEN 'ack' THEN 'delivered' WHEN 'error' THEN 'error' WHEN 'extend' THEN 'reserved' ELSE 'pending' END,
    lease_id = CASE WHEN p_move = 'extend' THEN q.lease_id END,
    -- Who had it last stays on a settled post; a post that waits again is nobody's.
    lease_key_id = CASE WHEN p_move IN ('nack', 'release') THEN NULL ELSE q.lease_key_id END,
    lease_member_id = CASE WHEN p_move IN ('nack', 'release') THEN NULL ELSE q.lease_member_id END,
    lease_label = CASE WHEN p_move IN ('nack', 'release') THEN NULL ELSE q.lease_label END,
    reserved_at = CASE WHEN p_move IN ('nack', 'release') THEN NULL ELSE q.reserved_at END,
    lease_expires_at = CASE WHEN p_move = 'extend' THEN now() + p_timeout_seconds * interval '1 second' END,
    delivered_at = CASE WHEN p_move = 'ack' THEN now() END,
    errored_at = CASE WHEN p_move = 'error' THEN now() END,
    error_reason = CASE WHEN p_move = 'error' THEN p_reason END,
    error_details = CASE WHEN p_move = 'error' THEN p_details END,
    nacks = q.nacks + (p_move = 'nack')::int,
    refusals = CASE p_move WHEN 'nack' THEN q.refusals + 1 WHEN 'extend' THEN q.refusals WHEN 'release' THEN q.refusals ELSE 0 END,
    not_before = CASE WHEN p_move = 'nack' AND p_backoff THEN now() + refusal_pause(q.refusals + 1) END
  WHERE q.post_id = p_post_id AND q.state = 'reserved' AND (p_lease IS NULL OR q.lease_id::text = ANY (string_to_array(p_lease, ',')))
    AND (cardinality(caller.stream_ids) = 0 OR q.stream_id = ANY (caller.stream_ids))
  RETURNING * INTO entry;
  IF FOUND THEN
    result.state := entry.state;
    result.lease_expires_at := entry.lease_expires_at;
    result.author_key := entry.author_key;
    IF p_move <> 'extend' THEN
      INSERT INTO post_event (post_id, actor, member_id, api_key_id, source, action, from_state, to_state, note, details)
      VALUES (p_post_id, caller.label, caller.member_id, caller.key_id, caller.source, p_move, 'reserved', entry.state,
              p_reason, p_details);
    END IF;
    RETURN result;
  END IF;

  -- Nothing changed: look once and say why.
  SELECT coalesce(q.state, CASE WHEN p.approved IS NULL THEN 'unreviewed' ELSE 'rejected' END)
    INTO result.state
    FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id
   WHERE p.id = p_post_id AND (cardinality(caller.stream_ids) = 0 OR p.stream_id = ANY (caller.stream_ids));
  IF NOT FOUND THEN
    result.outcome := 'not_found';
  ELSIF result.state = 'reserved' THEN
    result.outcome := 'stale';
  ELSE
    result.outcome := 'conflict';
  END IF;
  RETURN result;
END $$;

-- Deletes posts and leaves a tombstone for each, so that none is collected again. Returns how many.
-- p_reason: cleanup, trim, deleted, opt_out, gone.
CREATE FUNCTION delete_posts(p_ids integer[], p_reason text) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  n integer;
BEGIN
  WITH gone AS (DELETE FROM post WHERE id = ANY (p_ids) RETURNING uri, stream_id), buried AS (
    INSERT INTO tombstone (uri_hmac, reason) SELECT uri_hmac(uri), p_reason FROM gone
    ON CONFLICT (uri_hmac) DO UPDATE SET reason = excluded.reason, at = now()
    RETURNING 1
  ), counted AS (
    -- What this call deleted, not what it was asked to: another may have been at the same posts.
    INSERT INTO counter_delta (stream_id, trimmed)
    SELECT coalesce(stream_id, 0), count(*) FROM gone WHERE p_reason = 'trim' GROUP BY 1
  )
  SELECT count(*) INTO n FROM gone;
  RETURN n;
END $$;

-- Each statement above has its index. A plan made while a table was small and kept by a connection must not turn
-- into a scan when it has grown.
-- (jit off: what is left to scan is a table of one row or of rules, and the penalty would have it compiled.)
ALTER FUNCTION queue_reserve SET enable_seqscan = off SET jit = off;
ALTER FUNCTION queue_settle SET enable_seqscan = off SET jit = off;
