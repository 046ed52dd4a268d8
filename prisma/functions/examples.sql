-- Examples from which the learner is trained: one for each post that people or API keys reviewed. Automatic rejections are
-- no examples.

-- A trigger, so that no review can omit it.
CREATE OR REPLACE FUNCTION learn_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO check_example (post_id, author_hmac, instance_hmac, rejected, reject_reason_id, reviewed_at, features, warned)
  SELECT p.id, uri_hmac(p.author_key), uri_hmac(p.instance), NOT p.approved, p.reject_reason_id, p.reviewed_at,
         coalesce(c.features, '{}'),
         ARRAY(SELECT k ->> 'name' FROM jsonb_array_elements(p.ai_checks) k
                WHERE (k ->> 'score')::real >= (k ->> 'threshold')::real)
    FROM post p LEFT JOIN post_check c ON c.post_id = p.id
   WHERE p.id = NEW.post_id AND p.approved IS NOT NULL AND (p.approved OR p.auto_reject_reason IS NULL)
     AND p.erased_at IS NULL
  ON CONFLICT (post_id) DO UPDATE
    SET rejected = excluded.rejected, reject_reason_id = excluded.reject_reason_id, reviewed_at = excluded.reviewed_at,
        features = excluded.features,
        warned = excluded.warned, prediction = NULL;
  IF NOT FOUND THEN
    DELETE FROM check_example e USING post p WHERE e.post_id = NEW.post_id AND p.id = e.post_id;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_event_learn_review AFTER INSERT ON post_event FOR EACH ROW
  WHEN (NEW.action IN ('approve', 'reject', 'unreview') AND NEW.source IN ('screen', 'api'))
  EXECUTE FUNCTION learn_review();

-- A reason that is changed without a decision, or restored after the line of an undo.
CREATE OR REPLACE FUNCTION learn_reason() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE check_example SET reject_reason_id = NEW.reject_reason_id WHERE post_id = NEW.id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_learn_reason AFTER UPDATE OF reject_reason_id ON post FOR EACH ROW
  WHEN (NEW.reject_reason_id IS DISTINCT FROM OLD.reject_reason_id) EXECUTE FUNCTION learn_reason();

-- Posts that were reviewed before their text was checked.
CREATE OR REPLACE FUNCTION complete_example() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE check_example SET features = NEW.features
   WHERE post_id = NEW.post_id AND features = '{}' AND NEW.features <> '{}';
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_check_complete_example AFTER INSERT OR UPDATE OF features ON post_check FOR EACH ROW
  EXECUTE FUNCTION complete_example();

-- Corrected author of a post. The same name on another host is the same account: examples of its deleted posts move, too, so
-- that a later refusal finds them.
CREATE OR REPLACE FUNCTION move_example() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE check_example e SET author_hmac = uri_hmac(NEW.author_key), instance_hmac = uri_hmac(NEW.instance)
   WHERE post_id = NEW.id
      OR author_hmac = uri_hmac(OLD.author_key) AND split_part(NEW.author_key, '@', 1) = split_part(OLD.author_key, '@', 1)
         AND NOT EXISTS (SELECT FROM post WHERE id = e.post_id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_move_example AFTER UPDATE OF author_key, instance ON post FOR EACH ROW
  WHEN ((NEW.author_key, NEW.instance) IS DISTINCT FROM (OLD.author_key, OLD.instance)) EXECUTE FUNCTION move_example();

-- Posts that are deleted after their delivery or by their age. Their examples keep the decision, and nothing of the
-- content; features that several stored posts had (rows of check_feature_count) are counted.
CREATE OR REPLACE FUNCTION empty_examples(p_ids integer[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM check_example WHERE post_id = ANY (p_ids)) THEN RETURN; END IF;
  -- One at a time: they update the same counts in any order. The lock of forget_quotes(), because both may be needed.
  PERFORM pg_advisory_xact_lock(7106);
  UPDATE check_feature_count c SET reviewed = c.reviewed + n.reviewed, rejected = c.rejected + n.rejected
    FROM (SELECT feature, count(*) AS reviewed, count(*) FILTER (WHERE rejected) AS rejected
            FROM check_example, unnest(features || -1) feature
           WHERE post_id = ANY (p_ids) AND features <> '{}'
             AND ((SELECT about FROM reject_reason r WHERE r.id = reject_reason_id) IN ('text', 'both')) IS NOT FALSE
           GROUP BY feature) n
   WHERE c.feature = n.feature;
  UPDATE check_example SET features = '{}', emptied = true WHERE post_id = ANY (p_ids);
END $$;

-- Authors who refuse. Also emptied examples.
CREATE OR REPLACE FUNCTION forget_examples(p_author_keys text[]) RETURNS void LANGUAGE sql VOLATILE AS $$
  DELETE FROM check_example
   WHERE author_hmac = ANY (ARRAY(SELECT uri_hmac(key) FROM unnest(p_author_keys) AS authors (key)))
$$;

