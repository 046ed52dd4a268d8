-- The counts of the learner (lib/checks/learner). A feature is a number: 0 all posts, below 0 authors and instances, above 0 others.

-- The feature of an author or an instance.
CREATE OR REPLACE FUNCTION name_number(p_name text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT -1 - ('x' || substr(encode(uri_hmac(p_name), 'hex'), 1, 13))::bit(52)::bigint
$$;

-- Forgets what was learnt of posts, and all that was learnt of authors who refuse, also from posts deleted before. p_keep, for
-- posts that are delivered or old: keeps the decisions, and the counts of features that posts of three authors have.
CREATE OR REPLACE FUNCTION unlearn(p_ids integer[], p_keep boolean, p_author_keys text[] DEFAULT '{}') RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  names bigint[] := ARRAY(SELECT name_number(key) FROM unnest(p_author_keys) key);
  ids integer[] := p_ids || ARRAY(SELECT post_id FROM learnt WHERE author = ANY (names));
BEGIN
  IF cardinality(ids) = 0 THEN RETURN; END IF;
  -- One transaction at a time, learn() included: it may have read a post that is deleted now.
  PERFORM pg_advisory_xact_lock(7107);
  UPDATE learnt_count c
     SET reviewed = c.reviewed - n.reviewed, rejected = c.rejected - n.rejected,
         authors = ARRAY(SELECT a FROM unnest(c.authors) a WHERE a <> ALL (n.authors))
    FROM (SELECT feature, count(*) AS reviewed, count(*) FILTER (WHERE rejected) AS rejected, array_agg(author) AS authors
            FROM learnt, unnest(features) feature WHERE post_id = ANY (ids) GROUP BY feature) n
   WHERE c.feature = n.feature AND NOT (p_keep AND (c.feature <= 0 OR cardinality(c.authors) > 2));
  DELETE FROM learnt_count c USING learnt l
   WHERE l.post_id = ANY (ids) AND c.feature = ANY (l.features) AND c.reviewed = 0;
  IF p_keep THEN
    UPDATE learnt SET features = ARRAY(SELECT f FROM unnest(features) f WHERE f < 0) WHERE post_id = ANY (ids);
  ELSE
    DELETE FROM learnt WHERE post_id = ANY (ids);
  END IF;
  UPDATE learnt_count SET authors = ARRAY(SELECT a FROM unnest(authors) a WHERE a <> ALL (names))
   WHERE names <> '{}' AND authors && names;
END $$;
