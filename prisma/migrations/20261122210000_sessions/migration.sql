-- A signed-in browser. Every session token names its row, so deleting the row ends the session. Tokens from before this
-- table name none: everyone signs in once more.
CREATE TABLE session (
  id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  member_id      integer NOT NULL REFERENCES member ON DELETE CASCADE,
  created_at     timestamptz(3) NOT NULL DEFAULT now(),
  -- Stored at most once in five minutes, together with the two columns below.
  last_used_at   timestamptz(3) NOT NULL DEFAULT now(),
  -- Such as "Firefox on Linux".
  browser        text,
  -- Network of the address: /24 of IPv4, /48 of IPv6.
  address_prefix text
);
CREATE INDEX session_member_idx ON session (member_id, last_used_at);
