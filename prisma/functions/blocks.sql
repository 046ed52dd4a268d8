-- The only definition of "blocked", and the holds that block lists, switches and reported opt-outs give a queue entry.

-- Whether a pattern of the block list matches an account. p_author_key is "user@host"; both are in lower case.
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

-- The bits of queue_entry.holds that follow from lists and switches: 1 blocked user, 2 blocked hashtag, 32 reported opt-out,
-- 128 to 512 the switches. p_tags are folded; p_related is post.related, p_missing is queue_entry.missing.
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
