-- Version of a post that the chat model is asked about. Results about another version are outdated.
CREATE OR REPLACE FUNCTION remote_key(p_text text, p_warning text, p_media jsonb) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT md5(jsonb_build_array(
    p_text, coalesce(p_warning, ''),
    (SELECT jsonb_agg(jsonb_build_array(m ->> 'type', m ->> 'url', m ->> 'description') ORDER BY n)
       FROM jsonb_array_elements(p_media) WITH ORDINALITY AS each (m, n)))::text)
$$;

-- Whether a post may be sent to the chat model: unreviewed, not erased, and its author has not refused programs. An
-- author of a reported opt-out counts as refusing until the report is dismissed.
CREATE OR REPLACE FUNCTION may_be_sent(p_post_id integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM post p
     WHERE p.id = p_post_id AND p.approved IS NULL AND p.erased_at IS NULL
       AND coalesce(p.consent ->> 'noindex', 'false') <> 'true'
       AND coalesce(p.consent -> 'refusal_tags', '[]') = '[]'
       AND NOT EXISTS (SELECT FROM reported_opt_out o
                        WHERE o.author_key = p.author_key AND o.resolution IS DISTINCT FROM 'dismissed'))
$$;

-- Has the chat model asked about posts that changed, and removes outdated results. p_again: also posts whose check failed.
CREATE OR REPLACE FUNCTION queue_remote(p_ids integer[], p_again boolean) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE post_check c
     SET remote_key = k.key, remote_attempts = 0, remote_lease_until = NULL, remote = NULL,
         remote_state = CASE WHEN k.due THEN 'waiting' ELSE 'none' END,
         remote_due_at = CASE WHEN k.due THEN now() END
    FROM (SELECT p.id, remote_key(p.plain_text, p.spoiler_text, p.media) AS key, may_be_sent(p.id) AS due
            FROM post p WHERE p.id = ANY (p_ids)) k
   WHERE c.post_id = k.id AND (k.due OR c.remote_state <> 'none')
     AND (c.remote_key IS DISTINCT FROM k.key OR c.remote_state = 'failed' AND p_again)
$$;
