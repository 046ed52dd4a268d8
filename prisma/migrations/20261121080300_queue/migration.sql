-- The queue: one narrow row for each post that is or was in it (design §3, §4).

-- Secret of the tombstones' HMAC. It lives in the database so that tombstones survive a change of the
-- process's keys and so that thousands of posts can be deleted in one statement.
ALTER TABLE installation ADD COLUMN tombstone_secret bytea NOT NULL
  DEFAULT decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');

-- HMAC-SHA-256 (RFC 2104) of a post's uri. pgcrypto is not everywhere; sha256() is.
CREATE FUNCTION uri_hmac(p_uri text) RETURNS bytea LANGUAGE plpgsql STABLE AS $$
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

CREATE TABLE queue_entry (
  post_id          integer PRIMARY KEY REFERENCES post ON DELETE CASCADE,
  state            text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'reserved', 'delivered', 'error')),
  -- Queue order: time of the approval, then id. A post that comes back keeps its place.
  approved_at      timestamptz(3) NOT NULL,
  post_created_at  timestamptz(3) NOT NULL,
  stream_id        integer,
  author_key       text NOT NULL,
  -- Folded hashtags of the post and of its stream: what blocks and topical rules compare.
  tags             text[] NOT NULL DEFAULT '{}',
  -- What a switch of the export settings would object to: 1 no media, 2 a medium without alt text, 4 a bot.
  -- A switch flipped is a mask compared with this, so no row is rewritten.
  lacks            smallint NOT NULL DEFAULT 0 CHECK (lacks BETWEEN 0 AND 7),
  -- Why the post may not be handed out: 1 blocked user, 2 blocked hashtag, 4 unverifiable, 8 differs,
  -- 16 opt-out reported, 32 no https address. Bits, because lifting one reason must leave the others.
  holds            smallint NOT NULL DEFAULT 0,
  -- Refused again and again: not offered before this time (consumers.md). The sweep sets it back to null.
  not_before       timestamptz(3),
  random_key       double precision NOT NULL DEFAULT random(),
  lease_id         uuid,
  lease_key_id     integer,
  lease_member_id  integer,
  lease_label      text,
  reserved_at      timestamptz(3),
  lease_expires_at timestamptz(3),
  deliveries       integer NOT NULL DEFAULT 0,
  nacks            integer NOT NULL DEFAULT 0,
  timeouts         integer NOT NULL DEFAULT 0,
  -- Unsuccessful deliveries in a row.
  refusals         integer NOT NULL DEFAULT 0,
  delivered_at     timestamptz(3),
  errored_at       timestamptz(3),
  error_reason     text,
  error_details    jsonb,
  CHECK ((state = 'reserved') = (lease_id IS NOT NULL)),
  CHECK ((state = 'reserved') = (lease_expires_at IS NOT NULL)),
  CHECK ((state = 'delivered') = (delivered_at IS NOT NULL)),
  CHECK ((state = 'error') = (error_reason IS NOT NULL))
) WITH (
  fillfactor = 85,
  -- Every delivery leaves dead rows at the head of the queue; the scan must not walk over many of them.
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05
);

-- Oldest eligible post, no switch on.
CREATE INDEX queue_entry_due_idx ON queue_entry (approved_at, post_id)
  WHERE state = 'pending' AND holds = 0 AND not_before IS NULL;
-- Oldest eligible post under switches: one probe for each value of lacks that the switches allow.
CREATE INDEX queue_entry_due_lacks_idx ON queue_entry (lacks, approved_at, post_id)
  WHERE state = 'pending' AND holds = 0 AND not_before IS NULL;
-- Random draw.
CREATE INDEX queue_entry_due_random_idx ON queue_entry (lacks, random_key)
  WHERE state = 'pending' AND holds = 0 AND not_before IS NULL;
-- Keys bound to streams: oldest and random.
CREATE INDEX queue_entry_due_stream_idx ON queue_entry (stream_id, lacks, approved_at, post_id)
  WHERE state = 'pending' AND holds = 0 AND not_before IS NULL;
CREATE INDEX queue_entry_due_stream_random_idx ON queue_entry (stream_id, lacks, random_key)
  WHERE state = 'pending' AND holds = 0 AND not_before IS NULL;
-- Author rule of the random draw.
CREATE INDEX queue_entry_due_author_idx ON queue_entry (author_key, approved_at, post_id)
  WHERE state = 'pending' AND holds = 0 AND not_before IS NULL;
-- Sweep: timed-out reservations, and kept-back posts whose time has come.
-- By the expiry alone, which only reserved rows have: asked with "state = 'reserved'", a planner with old
-- statistics walks all reservations through queue_entry_state_idx instead.
CREATE INDEX queue_entry_reserved_idx ON queue_entry (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX queue_entry_kept_back_idx ON queue_entry (not_before) WHERE not_before IS NOT NULL;
-- GET /posts?queue_status=, newest first.
CREATE INDEX queue_entry_state_idx ON queue_entry (state, post_created_at DESC, post_id DESC);
-- Cleanup: delivered posts by age.
CREATE INDEX queue_entry_delivered_idx ON queue_entry (delivered_at) WHERE state = 'delivered';
-- Errors grouped by reason.
CREATE INDEX queue_entry_error_idx ON queue_entry (error_reason, errored_at) WHERE state = 'error';
-- A hashtag blocked, an author blocked, a topical rule added: the rows it concerns.
CREATE INDEX queue_entry_tags_idx ON queue_entry USING gin (tags) WHERE state <> 'delivered';
CREATE INDEX queue_entry_author_idx ON queue_entry (author_key) WHERE state <> 'delivered';
-- Held posts, listed and counted by reason.
CREATE INDEX queue_entry_held_idx ON queue_entry (holds) WHERE holds <> 0 AND state = 'pending';

-- Eligible posts that match a topical rule, one row a matching rule, in queue order. GIN cannot answer
-- "the oldest with this tag" in a bounded number of rows; this can. Kept by triggers below.
CREATE TABLE queue_topic (
  tag         text NOT NULL,
  post_id     integer NOT NULL REFERENCES queue_entry ON DELETE CASCADE,
  approved_at timestamptz(3) NOT NULL,
  stream_id   integer,
  lacks       smallint NOT NULL,
  random_key  double precision NOT NULL,
  PRIMARY KEY (post_id, tag)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
-- Topical choice: oldest and random, for all streams and for keys bound to some.
CREATE INDEX queue_topic_due_idx ON queue_topic (tag, lacks, approved_at, post_id);
CREATE INDEX queue_topic_random_idx ON queue_topic (tag, lacks, random_key);
CREATE INDEX queue_topic_stream_idx ON queue_topic (tag, stream_id, lacks, approved_at, post_id);
CREATE INDEX queue_topic_stream_random_idx ON queue_topic (tag, stream_id, lacks, random_key);
