-- The only definition of "blocked". Advisory lock 7101 guards the block lists: shared while posts become eligible,
-- exclusive for a change of a list, so no entry misses a change.

-- The host of an author and the domains above it, for blocked domains by index.
CREATE OR REPLACE FUNCTION author_domains(p_author_key text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(array_to_string(label[n:], '.')), '{}')
    FROM (SELECT string_to_array(substring(p_author_key FROM '[^@]*$'), '.') AS label) host,
         generate_series(1, cardinality(label)) n
$$;

-- Both are in lower case; p_author_key is "user@host".
CREATE OR REPLACE FUNCTION user_pattern_matches(p_type text, p_pattern text, p_author_key text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_type
    WHEN 'exact' THEN p_author_key = p_pattern
    WHEN 'suffix' THEN right(p_author_key, length(p_pattern)) = p_pattern
    WHEN 'prefix' THEN left(p_author_key, length(p_pattern)) = p_pattern
    WHEN 'contains' THEN position(p_pattern IN p_author_key) > 0
    WHEN 'domain' THEN right(p_author_key, length(p_pattern) + 1) IN ('@' || p_pattern, '.' || p_pattern)
  END
$$;

CREATE OR REPLACE FUNCTION user_blocked(p_author_key text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM blocked_user WHERE pattern_type = 'exact' AND account_identifier = p_author_key)
      OR EXISTS (SELECT FROM blocked_user WHERE pattern_type = 'domain' AND account_identifier = ANY (author_domains(p_author_key)))
      OR EXISTS (SELECT FROM blocked_user WHERE pattern_type IN ('suffix', 'prefix', 'contains')
                    AND user_pattern_matches(pattern_type, account_identifier, p_author_key));
END $$;

-- Any of them, which may be tags, too; an account has an @.
CREATE OR REPLACE FUNCTION accounts_blocked(p_accounts text[]) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM unnest(p_accounts) a WHERE a LIKE '%@%' AND user_blocked(a));
END $$;

-- p_tags: folded.
CREATE OR REPLACE FUNCTION hashtags_blocked(p_tags text[]) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM blocked_hashtag WHERE hashtag_folded = ANY (p_tags));
END $$;

CREATE OR REPLACE FUNCTION opt_outs_reported(p_accounts text[]) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM reported_opt_out WHERE author_key = ANY (p_accounts) AND resolved_at IS NULL);
END $$;

-- Hold bits: 1 user, 2 hashtag. p_related: see post.related.
CREATE OR REPLACE FUNCTION block_bits(p_author_key text, p_tags text[], p_related text[]) RETURNS integer
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN accounts_blocked(p_related || p_author_key)::int + 2 * hashtags_blocked(p_related || p_tags)::int;
END $$;

-- Entries of p_source that match ($1: patterns) and whose hold bit is wrong. MATERIALIZED makes PostgreSQL 15
-- evaluate the verdict once for each author or set of hashtags.
CREATE OR REPLACE FUNCTION block_candidates(p_source text, p_matching text, p_subject text, p_verdict text, p_bit integer, p_order text)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format(
    'WITH hit AS MATERIALIZED (SELECT post_id, approved_at, holds, %3$s AS subject FROM %1$s AND state <> ''delivered'' AND %2$s),
          verdict AS MATERIALIZED (SELECT subject, %4$I(subject) AS held FROM (SELECT DISTINCT subject FROM hit) one)
     SELECT ARRAY(SELECT post_id FROM hit h JOIN verdict v ON v.subject = h.subject
                   WHERE ((h.holds & %5$s) <> 0) <> v.held ORDER BY %6$s)',
    p_source, p_matching, p_subject, p_verdict, p_bit, p_order)
$$;

-- Reads at most p_read entries and writes at most p_write. outcome: more (call again), waiting (all remaining entries
-- are locked), busy (another process works on this change), done (the row is deleted). The shared lock keeps the
-- lists unchanged until the verdicts are written. Locked entries are skipped: their transaction may wait for the
-- exclusive lock, behind ours.
CREATE OR REPLACE FUNCTION apply_block_batch(p_change integer, p_read integer, p_write integer)
RETURNS TABLE (outcome text, looked_at integer, changed integer) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  few CONSTANT integer := 5000;
  c block_change;
  bit integer;
  subject text;
  verdict text;
  matching text;
  last_id integer;
  seen integer := 0;
  batch integer[];
  locked integer[];
  written integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7101);
  SELECT * INTO c FROM block_change WHERE id = p_change FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN QUERY SELECT CASE WHEN EXISTS (SELECT FROM block_change WHERE id = p_change) THEN 'busy' ELSE 'done' END, 0, 0;
    RETURN;
  END IF;

  bit := CASE c.kind WHEN 'user' THEN 1 WHEN 'hashtag' THEN 2 ELSE 32 END;
  subject := CASE c.kind WHEN 'hashtag' THEN 'related || tags' ELSE 'related || author_key' END;
  verdict := CASE c.kind WHEN 'user' THEN 'accounts_blocked' WHEN 'hashtag' THEN 'hashtags_blocked' ELSE 'opt_outs_reported' END;
  matching := CASE
    WHEN c.kind = 'hashtag' THEN '(tags && $1 OR related && $1)'
    WHEN c.pattern_type = 'exact' THEN '(author_key = ANY ($1) OR related && $1)'
    WHEN c.pattern_type = 'any' THEN 'true'
    ELSE format('EXISTS (SELECT FROM unnest(related || author_key) a WHERE a LIKE ''%%@%%'' AND user_pattern_matches(%L, $1[1], a))',
                c.pattern_type)
  END;

  IF NOT c.started THEN
    -- Few matching entries: by index. Otherwise the head of the queue first, then all entries in windows.
    seen := few + 1;
    IF c.kind = 'hashtag' OR c.pattern_type = 'exact' THEN
      EXECUTE format('SELECT count(*) FROM (SELECT FROM queue_entry WHERE state <> ''delivered'' AND %s LIMIT %s) found',
                     matching, few + 1) INTO seen USING c.patterns;
    END IF;
    IF seen <= few THEN
      EXECUTE block_candidates('queue_entry WHERE true', matching, subject, verdict, bit, 'approved_at, post_id')
         INTO c.todo USING c.patterns;
    ELSE
      seen := p_read;
      c.cursor_post_id := 0;
      EXECUTE block_candidates(
        format('(SELECT * FROM queue_entry WHERE state = ''pending'' AND holds = 0 AND not_before IS NULL
                 ORDER BY approved_at, post_id LIMIT %s) head WHERE true', p_read),
        matching, subject, verdict, bit, 'approved_at, post_id') INTO c.todo USING c.patterns;
    END IF;
    c.started := true;
  ELSIF cardinality(c.todo) = 0 AND c.cursor_post_id IS NOT NULL THEN
    SELECT max(post_id), count(*) INTO last_id, seen FROM (
      SELECT post_id FROM queue_entry WHERE post_id > c.cursor_post_id ORDER BY post_id LIMIT p_read) span;
    EXECUTE block_candidates(
      format('queue_entry WHERE post_id > %s AND post_id <= %s', c.cursor_post_id, coalesce(last_id, 0)),
      matching, subject, verdict, bit, 'post_id') INTO c.todo USING c.patterns;
    c.cursor_post_id := CASE WHEN seen = p_read THEN last_id END;
  ELSIF cardinality(c.todo) = 0 THEN
    c.todo := c.skipped;
    c.skipped := '{}';
  END IF;

  batch := c.todo[1:p_write];
  c.todo := c.todo[p_write + 1:];
  IF cardinality(batch) > 0 THEN
    SELECT coalesce(array_agg(post_id), '{}') INTO locked FROM (
      SELECT post_id FROM queue_entry WHERE post_id = ANY (batch) FOR UPDATE SKIP LOCKED) free;
    IF cardinality(locked) < cardinality(batch) THEN
      -- Still there: locked. Otherwise deleted, or removed from the queue.
      c.skipped := c.skipped || ARRAY(
        SELECT post_id FROM queue_entry
         WHERE post_id IN (SELECT unnest(batch) EXCEPT SELECT unnest(locked)));
    END IF;
    EXECUTE format(
      'WITH mine AS MATERIALIZED (SELECT post_id, %1$s AS subject FROM queue_entry WHERE post_id = ANY ($1)),
            verdict AS MATERIALIZED (SELECT subject, %2$I(subject) AS held FROM (SELECT DISTINCT subject FROM mine) one)
       UPDATE queue_entry q SET holds = (q.holds & ~%3$s) | CASE WHEN v.held THEN %3$s ELSE 0 END
         FROM mine m JOIN verdict v ON v.subject = m.subject
        WHERE q.post_id = m.post_id AND q.state <> ''delivered'' AND ((q.holds & %3$s) <> 0) <> v.held',
      subject, verdict, bit) USING locked;
    GET DIAGNOSTICS written = ROW_COUNT;
  END IF;

  IF cardinality(c.todo) = 0 AND c.cursor_post_id IS NULL AND cardinality(c.skipped) = 0 THEN
    DELETE FROM block_change WHERE id = p_change;
    RETURN QUERY SELECT 'done', seen, written;
    RETURN;
  END IF;
  UPDATE block_change SET started = true, todo = c.todo, cursor_post_id = c.cursor_post_id,
         skipped = c.skipped, changed = c.changed + written
   WHERE id = p_change;
  RETURN QUERY SELECT CASE WHEN cardinality(c.todo) = 0 AND c.cursor_post_id IS NULL THEN 'waiting' ELSE 'more' END,
                      seen, written;
END $$;
