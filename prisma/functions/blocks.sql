-- The only definition of "blocked", and the holds that the lists, the switches and reported opt-outs give a queue entry.

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

-- Bits of queue_entry.holds: 1 user, 2 hashtag, 32 opt-out, 128 to 512 the switches. p_tags: folded; p_related: see post.related.
CREATE OR REPLACE FUNCTION hold_bits(p_author_key text, p_tags text[], p_related text[], p_missing integer DEFAULT 0)
RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT EXISTS (
         SELECT FROM unnest(p_related || p_author_key) a WHERE a LIKE '%@%' AND (
                EXISTS (SELECT FROM blocked_user WHERE pattern_type = 'exact' AND account_identifier = a)
             OR EXISTS (SELECT FROM blocked_user WHERE pattern_type = 'domain' AND account_identifier = ANY (ARRAY(
                           SELECT array_to_string(label[n:], '.')
                             FROM string_to_array(substring(a FROM '[^@]*$'), '.') label, generate_series(1, cardinality(label)) n)))
             OR EXISTS (SELECT FROM blocked_user WHERE pattern_type IN ('suffix', 'prefix', 'contains')
                           AND user_pattern_matches(pattern_type, account_identifier, a))))::int
       + 2 * EXISTS (SELECT FROM blocked_hashtag WHERE hashtag_folded = ANY (p_related || p_tags))::int
       + 32 * EXISTS (SELECT FROM reported_opt_out WHERE author_key = ANY (p_related || p_author_key) AND resolved_at IS NULL)::int
       + ((p_missing & ((value -> 'require_media')::boolean::int + 2 * (value -> 'require_alt_text')::boolean::int
                        + 4 * (value -> 'auto_reject_bots')::boolean::int)) << 7)
    FROM setting WHERE name = 'switches');
END $$;

-- Sets these bits of up to p_rows entries that a change may concern, in order of id. Locked entries are skipped. Once through,
-- it begins again when all transactions of this database with lower ids than its own (fence) have ended, until nothing was
-- skipped: an approval that read the lists before the change is then found, and so is a call of this function. For that, both
-- have an id before they read the lists. more: call again; again: a pass has ended; waiting: for the fence; busy: another process works
-- on it; done: the row is deleted.
CREATE OR REPLACE FUNCTION recompute_holds(p_change integer, p_rows integer) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  of_lists CONSTANT integer := 1 | 2 | 32 | 128 | 256 | 512;
  me CONSTANT bigint := pg_current_xact_id()::text::bigint;
  c hold_change;
  n integer;
  last_id integer;
  wrong integer[];
  free integer[];
BEGIN
  SELECT * INTO c FROM hold_change WHERE id = p_change FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN CASE WHEN EXISTS (SELECT FROM hold_change WHERE id = p_change) THEN 'busy' ELSE 'done' END;
  END IF;
  -- A fence above this id is another cluster's: the database was restored.
  IF c.after_id = 0 AND c.fence <= me AND EXISTS (
    SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND a.datname = current_database()
       AND age(l.transactionid) > age((c.fence % 4294967296)::text::xid)) THEN
    RETURN 'waiting';
  END IF;

  EXECUTE format(
    'SELECT count(*), max(post_id),
            coalesce(array_agg(post_id) FILTER (WHERE holds & %s <> hold_bits(author_key, tags, related, missing)), ''{}'')
       FROM (SELECT * FROM queue_entry WHERE state <> ''delivered'' AND post_id > $2 AND %s ORDER BY post_id LIMIT $3) e',
    of_lists, CASE c.pattern_type
      WHEN 'exact' THEN '(author_key = ANY ($1) OR tags && $1 OR related && $1)'
      WHEN 'switch' THEN 'missing <> 0'
      WHEN 'any' THEN 'true'
      ELSE format('EXISTS (SELECT FROM unnest(related || author_key) a WHERE a LIKE ''%%@%%'' AND user_pattern_matches(%L, $1[1], a))',
                  c.pattern_type)
    END) INTO n, last_id, wrong USING c.patterns, c.after_id, p_rows;
  free := ARRAY(SELECT post_id FROM queue_entry WHERE post_id = ANY (wrong) ORDER BY post_id FOR UPDATE SKIP LOCKED);
  UPDATE queue_entry SET holds = (holds & ~of_lists) | hold_bits(author_key, tags, related, missing)
   WHERE post_id = ANY (free) AND state <> 'delivered';
  c.skipped := c.skipped OR cardinality(free) < cardinality(wrong);

  IF n = p_rows THEN
    UPDATE hold_change SET after_id = last_id, skipped = c.skipped WHERE id = p_change;
    RETURN 'more';
  ELSIF c.fence IS NULL OR c.skipped THEN
    UPDATE hold_change SET after_id = 0, skipped = false, fence = me WHERE id = p_change;
    RETURN 'again';
  END IF;
  DELETE FROM hold_change WHERE id = p_change;
  RETURN 'done';
END $$;
