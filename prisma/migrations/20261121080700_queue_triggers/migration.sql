-- Blocks and topical rules against the queue. Advisory locks: whoever lets a post become eligible takes the
-- lock shared, whoever changes a list takes it exclusively, so no post slips between list and row (design §4).
-- 7101 = block lists, 7102 = topical rules.

-- Every beginning of a text, and every end: lets prefix and suffix patterns be found by index.
CREATE FUNCTION beginnings(p text) RETURNS text[] LANGUAGE sql IMMUTABLE AS
  $$ SELECT coalesce(array_agg(left(p, n)), '{}') FROM generate_series(1, length(p)) n $$;
CREATE FUNCTION endings(p text) RETURNS text[] LANGUAGE sql IMMUTABLE AS
  $$ SELECT coalesce(array_agg(right(p, n)), '{}') FROM generate_series(1, length(p)) n $$;

-- The one rule by which a stored user pattern meets an author. "contains" and the rest compare with
-- "user@host" in lower case; patterns are stored in lower case.
CREATE FUNCTION user_pattern_matches(p_type text, p_pattern text, p_author_key text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_type
    WHEN 'exact' THEN p_author_key = p_pattern
    WHEN 'suffix' THEN right(p_author_key, length(p_pattern)) = p_pattern
    WHEN 'prefix' THEN left(p_author_key, length(p_pattern)) = p_pattern
    WHEN 'contains' THEN position(p_pattern IN p_author_key) > 0
  END
$$;

-- Hold bits of the block lists for one author and set of folded tags: 1 user, 2 hashtag.
CREATE FUNCTION block_bits(p_author_key text, p_tags text[]) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN
    CASE WHEN EXISTS (SELECT FROM blocked_user WHERE pattern_type = 'exact' AND account_identifier = p_author_key)
           OR EXISTS (SELECT FROM blocked_user WHERE pattern_type = 'suffix' AND account_identifier = ANY (endings(p_author_key)))
           OR EXISTS (SELECT FROM blocked_user WHERE pattern_type = 'prefix' AND account_identifier = ANY (beginnings(p_author_key)))
           OR EXISTS (SELECT FROM blocked_user WHERE pattern_type = 'contains' AND position(account_identifier IN p_author_key) > 0)
         THEN 1 ELSE 0 END
    + CASE WHEN EXISTS (SELECT FROM blocked_hashtag WHERE hashtag_folded = ANY (p_tags)) THEN 2 ELSE 0 END;
END $$;

-- Topical rows follow eligibility.
CREATE FUNCTION follow_topics() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM queue_topic WHERE post_id = OLD.post_id;
  END IF;
  IF NEW.state = 'pending' AND NEW.holds = 0 AND NEW.not_before IS NULL THEN
    PERFORM pg_advisory_xact_lock_shared(7102);
    INSERT INTO queue_topic (tag, post_id, approved_at, stream_id, lacks, random_key)
    SELECT hashtag_folded, NEW.post_id, NEW.approved_at, NEW.stream_id, NEW.lacks, NEW.random_key
    FROM topical_tag WHERE hashtag_folded = ANY (NEW.tags);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER queue_topics_insert AFTER INSERT ON queue_entry FOR EACH ROW EXECUTE FUNCTION follow_topics();
CREATE TRIGGER queue_topics_update AFTER UPDATE ON queue_entry FOR EACH ROW
  WHEN ((OLD.state = 'pending' AND OLD.holds = 0 AND OLD.not_before IS NULL)
          IS DISTINCT FROM (NEW.state = 'pending' AND NEW.holds = 0 AND NEW.not_before IS NULL)
        OR OLD.tags <> NEW.tags OR OLD.lacks <> NEW.lacks OR OLD.stream_id IS DISTINCT FROM NEW.stream_id
        OR OLD.approved_at <> NEW.approved_at)
  EXECUTE FUNCTION follow_topics();

-- A rule added reaches the posts that wait; a rule removed lets them go.
CREATE FUNCTION apply_topical_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7102);
  IF TG_OP = 'DELETE' THEN
    DELETE FROM queue_topic WHERE tag = OLD.hashtag_folded;
    RETURN OLD;
  END IF;
  INSERT INTO queue_topic (tag, post_id, approved_at, stream_id, lacks, random_key)
  SELECT NEW.hashtag_folded, post_id, approved_at, stream_id, lacks, random_key
  FROM queue_entry
  WHERE tags @> ARRAY[NEW.hashtag_folded] AND state = 'pending' AND holds = 0 AND not_before IS NULL
  ON CONFLICT DO NOTHING;
  RETURN NEW;
END $$;
CREATE TRIGGER topical_tag_insert BEFORE INSERT ON topical_tag FOR EACH ROW EXECUTE FUNCTION apply_topical_tag();
CREATE TRIGGER topical_tag_delete BEFORE DELETE ON topical_tag FOR EACH ROW EXECUTE FUNCTION apply_topical_tag();
