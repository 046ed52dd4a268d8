-- Renames stored authors once the domain of their server is known (lib/ingest/correct-handles.ts). All places that store a
-- handle; tests/integration/streams/correct-handles.test.ts finds a column that is missing here.

-- The new handle, or null if the change is not about this one.
CREATE OR REPLACE FUNCTION renamed(p_handle text, c handle_change) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN right(p_handle, length(c.before)) = c.before AND (c.before LIKE '@%' OR p_handle = c.before)
              THEN left(p_handle, -length(c.before)) || c.after END
$$;

-- Copies settings: posts that are not renamed yet need the old ones. An open report replaces a decided one. Returns the
-- changes of the block lists.
CREATE OR REPLACE FUNCTION begin_rename(c handle_change) RETURNS TABLE (kind text, pattern_type text, patterns text[])
LANGUAGE sql VOLATILE AS $$
  UPDATE handle_change SET started = true WHERE id = c.id;
  UPDATE stream s SET consent_list = s.consent_list || more.entries
    FROM (SELECT o.id, array_agg('@' || renamed(substr(entry, 2), c) ORDER BY entry) AS entries
            FROM stream o, unnest(o.consent_list) entry
           WHERE NOT '@' || renamed(substr(entry, 2), c) = ANY (o.consent_list) GROUP BY o.id) more
   WHERE s.id = more.id;
  WITH block AS (
    INSERT INTO blocked_user (account_identifier, pattern_type, notes)
    SELECT r.pattern, b.pattern_type, b.notes
      FROM blocked_user b, LATERAL (
             SELECT CASE b.pattern_type WHEN 'domain' THEN substr(renamed('@' || b.account_identifier, c), 2)
                                        ELSE renamed(b.account_identifier, c) END AS pattern) r
     WHERE r.pattern IS NOT NULL ORDER BY 1
    ON CONFLICT (account_identifier, pattern_type) DO NOTHING
    RETURNING account_identifier, pattern_type
  ), report AS (
    INSERT INTO reported_opt_out AS o (author_key, reason, post_id, reported_at, resolved_at, resolution)
    SELECT renamed(author_key, c), reason, post_id, reported_at, resolved_at, resolution FROM reported_opt_out
     WHERE renamed(author_key, c) IS NOT NULL ORDER BY 1
    ON CONFLICT (author_key) DO UPDATE
      SET reason = excluded.reason, post_id = excluded.post_id, reported_at = excluded.reported_at,
          resolved_at = NULL, resolution = NULL
      WHERE o.resolved_at IS NOT NULL AND excluded.resolved_at IS NULL
    RETURNING author_key
  )
  SELECT 'user', pattern_type, array_agg(account_identifier) FROM block
   GROUP BY pattern_type, CASE WHEN pattern_type <> 'exact' THEN account_identifier END
  UNION ALL SELECT 'opt_out', 'exact', array_agg(author_key) FROM report HAVING count(*) > 0
$$;

-- Up to p_limit posts, with their queue entries; triggers move their figures and examples. The old handle stays searchable.
-- Returns more (call again), busy (other transactions lock the last posts) or done.
CREATE OR REPLACE FUNCTION rename_posts(c handle_change, p_lexemes text[], p_limit integer) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  domain text := split_part(c.after, '@', 2);
  ids integer[] := ARRAY(
    SELECT id FROM post WHERE instance = c.host AND renamed(author_key, c) IS NOT NULL
     ORDER BY created_at DESC, id DESC LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  UPDATE post SET author_key = renamed(author_key, c), author_account = '@' || author_username || '@' || domain,
         instance = domain, search = search || array_to_tsvector(p_lexemes), updated_at = now()
   WHERE id = ANY (ids);
  PERFORM queue_refresh_entries(ids);
  RETURN CASE WHEN ids <> '{}' THEN 'more'
              WHEN EXISTS (SELECT FROM post WHERE instance = c.host AND renamed(author_key, c) IS NOT NULL) THEN 'busy'
              ELSE 'done' END;
END $$;

-- Moves what is stored without a post. A standing of the new handle stays; trust in a handle that is blocked ends.
CREATE OR REPLACE FUNCTION finish_rename(c handle_change) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  DELETE FROM reported_opt_out WHERE renamed(author_key, c) IS NOT NULL;
  INSERT INTO author_standing (author_key, standing, set_by, set_at)
  SELECT renamed(author_key, c), standing, set_by, set_at FROM author_standing
   WHERE renamed(author_key, c) IS NOT NULL AND NOT (standing = 'trusted' AND user_blocked(renamed(author_key, c)))
   ORDER BY 1
  ON CONFLICT (author_key) DO NOTHING;
  DELETE FROM author_standing WHERE renamed(author_key, c) IS NOT NULL;
  -- For the undo of a standing.
  UPDATE change SET before = before || jsonb_build_object('author_key', renamed(before ->> 'author_key', c))
   WHERE kind = 'standing' AND renamed(before ->> 'author_key', c) IS NOT NULL;
  -- Figures of deleted posts. Not while compact_figures() moves them.
  PERFORM pg_advisory_xact_lock(7105);
  UPDATE figure_delta SET author_key = renamed(author_key, c) WHERE renamed(author_key, c) IS NOT NULL;
  PERFORM rename_figures('author', NULL, array_agg(key), array_agg(renamed(key, c)))
     FROM (SELECT DISTINCT key FROM figure WHERE dimension = 'author' AND renamed(key, c) IS NOT NULL) former;
  IF c.before LIKE '@%' THEN
    UPDATE figure_delta SET instance = split_part(c.after, '@', 2) WHERE instance = c.host;
    PERFORM rename_figures('host', NULL, ARRAY[c.host], ARRAY[split_part(c.after, '@', 2)]);
  END IF;
  DELETE FROM handle_change WHERE id = c.id;
END $$;
