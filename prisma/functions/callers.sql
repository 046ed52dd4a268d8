-- p_key_hash null: the member of a verified session. p_stream_id limits stream_ids further. verdict: ok,
-- invalid_key, forbidden, unknown_stream.
CREATE OR REPLACE FUNCTION queue_identify(
  p_key_hash bytea, p_member_id integer, p_label text, p_stream_id integer DEFAULT NULL
) RETURNS queue_caller LANGUAGE plpgsql STABLE AS $$
DECLARE
  k record;
  caller queue_caller;
BEGIN
  IF p_key_hash IS NULL THEN
    caller := ROW('ok', NULL, p_member_id, p_label, 'screen', '{}'::integer[])::queue_caller;
  ELSE
    SELECT api_key.id, api_key.name, api_key.scopes, api_key.stream_ids, api_key.created_by, member.role
      INTO k
      FROM api_key JOIN member ON member.id = api_key.created_by
     WHERE api_key.key_hash = p_key_hash AND api_key.revoked_at IS NULL
       AND (api_key.expires_at IS NULL OR api_key.expires_at > now()) AND member.disabled_at IS NULL;
    IF NOT FOUND THEN
      caller.verdict := 'invalid_key';
      RETURN caller;
    END IF;
    -- As roleGrants() in lib/base/http/permissions.ts has it.
    IF NOT ('consume' = ANY (k.scopes) AND k.role IN ('reviewer', 'admin')) THEN
      caller.verdict := 'forbidden';
      RETURN caller;
    END IF;
    caller := ROW('ok', k.id, k.created_by, k.name, 'api', k.stream_ids)::queue_caller;
  END IF;
  IF p_stream_id IS NOT NULL THEN
    IF NOT EXISTS (SELECT FROM stream WHERE id = p_stream_id) THEN caller.verdict := 'unknown_stream'; END IF;
    -- Of both; 0 is no stream.
    caller.stream_ids := ARRAY[CASE WHEN cardinality(caller.stream_ids) = 0 OR p_stream_id = ANY (caller.stream_ids)
                                    THEN p_stream_id ELSE 0 END];
  END IF;
  RETURN caller;
END $$;
