-- What we know of a post's source (fediverse.md §1: a server may speak only for its own posts).
ALTER TABLE post
  -- Content, author and signals are the home server's own words; false: another server's copy brought them.
  ADD COLUMN from_home boolean NOT NULL DEFAULT false,
  -- Since when a copy differs, or an edit waits for a consumer to let go of the post. Null once the home server
  -- was asked.
  ADD COLUMN differs_since timestamptz(3);
-- "Which sources must be looked at first?": copies that differ, and sources that were missing once.
CREATE INDEX post_differs_idx ON post (differs_since) WHERE differs_since IS NOT NULL;
CREATE INDEX post_source_missing_idx ON post (source_missing_at) WHERE source_missing_at IS NOT NULL;

-- A post is approved while its copies differ: it enters the queue held (8 = differs), whoever approves it.
CREATE FUNCTION hold_differing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM post WHERE id = NEW.post_id AND differs_since IS NOT NULL) THEN
    NEW.holds := NEW.holds | 8;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER queue_hold_differing BEFORE INSERT ON queue_entry FOR EACH ROW EXECUTE FUNCTION hold_differing();

-- Accounts ("@user@host") that gave this stream their consent: what policy opt-in asks for.
ALTER TABLE stream ADD COLUMN consent_list text[] NOT NULL DEFAULT '{}';

-- "Which streams are due?" A fetch of all streams makes those without a schedule due as well, once.
DROP INDEX stream_due_idx;
CREATE INDEX stream_due_idx ON stream (next_scheduled_fetch) WHERE active AND next_scheduled_fetch IS NOT NULL;

-- The daily cleanup is done by one at a time; one that died gives it back when this has passed.
ALTER TABLE installation ADD COLUMN cleanup_lease_until timestamptz(3);

-- "Which runs are old enough to be forgotten?"
CREATE INDEX fetch_run_started_idx ON fetch_run (started_at);

-- "Which held posts may be readable again?"
CREATE INDEX queue_entry_unverifiable_idx ON queue_entry (post_id) WHERE state = 'pending' AND holds & 4 <> 0;
