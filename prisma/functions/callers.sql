-- lib/auth/permissions.ts holds the same table; a test compares all pairs.
CREATE OR REPLACE FUNCTION role_grants(p_role text, p_scope text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_role
    WHEN 'admin' THEN true
    WHEN 'reviewer' THEN p_scope IN ('read', 'consume', 'review', 'keys')
    WHEN 'viewer' THEN p_scope IN ('read', 'keys')
    ELSE false
  END
$$;

-- p_key_hash null: the member of a verified session. verdict: ok, invalid_key, forbidden.
CREATE OR REPLACE FUNCTION queue_identify(p_key_hash bytea, p_member_id integer, p_label text, p_scope text)
RETURNS queue_caller LANGUAGE plpgsql STABLE AS $$
DECLARE
  k record;
  caller queue_caller;
BEGIN
  IF p_key_hash IS NULL THEN
    RETURN ROW('ok', NULL, p_member_id, p_label, 'screen', '{}'::integer[], false)::queue_caller;
  END IF;
  SELECT api_key.id, api_key.name, api_key.scopes, api_key.stream_ids, api_key.created_by, member.role,
         api_key.last_used_at IS NULL OR api_key.last_used_at < now() - interval '1 minute' AS stale_use
    INTO k
    FROM api_key JOIN member ON member.id = api_key.created_by
   WHERE api_key.key_hash = p_key_hash AND api_key.revoked_at IS NULL
     AND (api_key.expires_at IS NULL OR api_key.expires_at > now()) AND member.disabled_at IS NULL;
  IF NOT FOUND THEN
    caller.verdict := 'invalid_key';
  ELSIF NOT (p_scope = ANY (k.scopes) AND role_grants(k.role, p_scope)) THEN
    caller.verdict := 'forbidden';
  ELSE
    caller := ROW('ok', k.id, k.created_by, k.name, 'api', k.stream_ids, k.stale_use)::queue_caller;
  END IF;
  RETURN caller;
END $$;

-- Keys are SHA-256 in hexadecimal; one row for each, in order. Equal keys are looked up once.
CREATE OR REPLACE FUNCTION queue_identify_many(p_keys text[], p_scope text) RETURNS queue_caller[] LANGUAGE sql STABLE AS $$
  WITH known AS MATERIALIZED (
    SELECT key, queue_identify(decode(key, 'hex'), NULL, NULL, p_scope) AS caller
      FROM (SELECT DISTINCT unnest(p_keys) AS key) each_key
  )
  SELECT array_agg(known.caller ORDER BY asked.position)
    FROM unnest(p_keys) WITH ORDINALITY asked (key, position) JOIN known ON known.key = asked.key
$$;
