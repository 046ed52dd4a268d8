-- Version of a post that remote checks are about. Results about another version are outdated.
CREATE OR REPLACE FUNCTION remote_key(p_text text, p_warning text, p_media jsonb) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT md5(jsonb_build_array(
    p_text, coalesce(p_warning, ''),
    (SELECT jsonb_agg(jsonb_build_array(m ->> 'type', m ->> 'url', m ->> 'description') ORDER BY n)
       FROM jsonb_array_elements(p_media) WITH ORDINALITY AS each (m, n)))::text)
$$;

-- Stored results (p_remote, about the version p_stored) that are about the version p_key and the stream's present
-- question.
CREATE OR REPLACE FUNCTION present_remote(p_remote jsonb, p_stored text, p_key text, p_question text) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_stored IS DISTINCT FROM p_key THEN '{}'
              WHEN p_remote -> 'question' ->> 'question' = md5(coalesce(p_question, '')) THEN p_remote
              ELSE p_remote - 'question' END
$$;

-- Whether a post may be sent to a remote provider: unreviewed, not erased, and its author has not refused programs. An
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

-- Has providers asked about posts that changed or whose question changed, and removes outdated results. p_questions: a
-- provider answers questions. p_again: also posts whose checks failed.
CREATE OR REPLACE FUNCTION queue_remote(p_ids integer[], p_questions boolean, p_again boolean) RETURNS void
LANGUAGE sql VOLATILE AS $$
  UPDATE post_check c
     SET remote_key = k.key, remote_attempts = 0, remote_lease_until = NULL,
         remote = CASE WHEN p_again THEN coalesce((SELECT jsonb_object_agg(name, result) FROM jsonb_each(k.kept) AS r (name, result)
                                                    WHERE result ->> 'error' IS NULL), '{}')
                  ELSE k.kept END,
         remote_state = CASE WHEN k.due THEN 'waiting' ELSE 'none' END,
         remote_due_at = CASE WHEN k.due THEN now() END
    FROM (SELECT p.id, v.key, s.check_question AS question, may_be_sent(p.id) AS due,
                 present_remote(o.remote, o.remote_key, v.key, s.check_question) AS kept
            FROM post p JOIN post_check o ON o.post_id = p.id LEFT JOIN stream s ON s.id = p.stream_id,
                 LATERAL remote_key(p.plain_text, p.spoiler_text, p.media) AS v (key)
           WHERE p.id = ANY (p_ids)) k
   WHERE c.post_id = k.id AND (k.due OR c.remote_state <> 'none')
     AND (c.remote_key IS DISTINCT FROM k.key
          OR c.remote_state <> 'waiting' AND p_questions AND k.question <> '' AND NOT k.kept ? 'question'
          OR c.remote_state = 'failed' AND p_again)
$$;
