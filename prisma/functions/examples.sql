-- A stable tenth of the posts, whose advice reviewers see after their decision. As in lib/classify/blind.ts.
CREATE OR REPLACE FUNCTION is_blind(p_post_id integer) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (p_post_id::bigint * 2654435761) % 4294967296 * 10 / 4294967296 = 0
$$;
