-- HMAC-SHA-256 (RFC 2104) with the secret of the installation. pgcrypto, which has it, is not installed everywhere.
CREATE OR REPLACE FUNCTION uri_hmac(p_uri text) RETURNS bytea LANGUAGE plpgsql STABLE AS $$
DECLARE
  secret bytea := (SELECT tombstone_secret FROM installation);
  inner_pad bytea := decode(repeat('36', 64), 'hex');
  outer_pad bytea := decode(repeat('5c', 64), 'hex');
BEGIN
  FOR i IN 0..length(secret) - 1 LOOP
    inner_pad := set_byte(inner_pad, i, get_byte(secret, i) # 54);
    outer_pad := set_byte(outer_pad, i, get_byte(secret, i) # 92);
  END LOOP;
  RETURN sha256(outer_pad || sha256(inner_pad || convert_to(p_uri, 'UTF8')));
END $$;
