-- Start of the failures since the last successful fetch.
ALTER TABLE stream ADD COLUMN failing_since timestamptz(3);
UPDATE stream SET failing_since = coalesce(last_check, updated_at) WHERE error_count > 0;

-- Previews of servers by a member within a minute.
CREATE TABLE preview_use (
  member_id  integer PRIMARY KEY REFERENCES member (id) ON DELETE CASCADE,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  used       integer NOT NULL DEFAULT 0
);
