-- HMAC-SHA-256 (RFC 2104). Written out because pgcrypto is not installed everywhere.
CREATE OR REPLACE FUNCTION uri_hmac(p_uri text) RETURNS bytea LANGUAGE plpgsql STABLE AS $$
DECLARE
  secret bytea;
  inner_pad bytea := decode(repeat('36', 64), 'hex');
  outer_pad bytea := decode(repeat('5c', 64), 'hex');
BEGIN
  SELECT tombstone_secret INTO secret FROM installation;
  FOR i IN 0..length(secret) - 1 LOOP
    inner_pad := set_byte(inner_pad, i, get_byte(secret, i) # 54);
    outer_pad := set_byte(outer_pad, i, get_byte(secret, i) # 92);
  END LOOP;
  RETURN sha256(outer_pad || sha256(inner_pad || convert_to(p_uri, 'UTF8')));
END $$;

-- Tags that block lists and topical rules compare: the post's and its stream's.
CREATE OR REPLACE FUNCTION post_tags(p_hashtags text[], p_stream_hashtag text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT tag) FILTER (WHERE tag IS NOT NULL), '{}')
    FROM unnest(p_hashtags || p_stream_hashtag) tag
$$;

CREATE OR REPLACE FUNCTION picture_addresses(p_media jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_path_query_array(p_media, '$[*].url') || jsonb_path_query_array(p_media, '$[*].preview_url')
$$;

-- An edit that changes the media invalidates the perceptual hashes, and the check results of pictures that the post no
-- longer has.
CREATE OR REPLACE FUNCTION forget_pictures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM picture_hash WHERE post_id = NEW.id;
  IF picture_addresses(OLD.media) IS DISTINCT FROM picture_addresses(NEW.media) THEN
    UPDATE post_check
       SET pictures = '[]', picture_attempts = 0, picture_lease_until = NULL,
           picture_state = CASE WHEN NEW.media_count > 0 THEN 'waiting' ELSE 'none' END,
           picture_due_at = CASE WHEN NEW.media_count > 0 THEN now() END
     WHERE post_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_forget_pictures AFTER UPDATE OF media ON post FOR EACH ROW
  WHEN (OLD.media IS DISTINCT FROM NEW.media) EXECUTE FUNCTION forget_pictures();

-- The foreign key sets post.stream_id to null when the stream is deleted.
CREATE OR REPLACE FUNCTION sync_entry_stream() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE queue_entry SET stream_id = NEW.stream_id WHERE post_id = NEW.id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_sync_entry_stream AFTER UPDATE OF stream_id ON post FOR EACH ROW
  WHEN (NEW.stream_id IS DISTINCT FROM OLD.stream_id) EXECUTE FUNCTION sync_entry_stream();
