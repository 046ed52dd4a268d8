-- Changes made by members and API keys, for the history and its undo; deleted after some days. Holds ids and states
-- only, never a post's content.
CREATE TABLE action (
  -- The id of the decision, batch or preview that it records.
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Total order of the history.
  seq        bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at         timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  member_id  integer NOT NULL,
  -- Null for a session.
  api_key_id integer,
  -- The session, also after it has ended; null for a key.
  session_id uuid,
  kind       text NOT NULL,
  -- Posts or entries that it changed.
  changed    integer NOT NULL,
  -- Facts that the history shows.
  details    jsonb NOT NULL DEFAULT '{}',
  -- State before the action, as far as its undo needs it and no other table holds it.
  before     jsonb NOT NULL DEFAULT '{}',
  undone_at  timestamptz(3),
  -- Result of the undo; null when another operation undid it.
  undo       jsonb
);
-- The history of one member.
CREATE UNIQUE INDEX action_member_idx ON action (member_id, seq DESC);
CREATE INDEX action_at_idx ON action (at);

-- Posts or entries counted for a confirmation. The action that names the token changes these and no others.
CREATE TABLE action_preview (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  member_id  integer NOT NULL,
  api_key_id integer,
  kind       text NOT NULL,
  -- SHA-256 of the arguments, which may quote a post.
  arguments  bytea NOT NULL,
  -- Ids and states that were counted.
  data       jsonb NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at    timestamptz(3)
);
CREATE INDEX action_preview_expires_idx ON action_preview (expires_at);

ALTER TABLE review_decision DROP CONSTRAINT review_decision_decision_check,
  ADD CONSTRAINT review_decision_decision_check
      CHECK (decision IN ('approve', 'reject', 'unreview', 'skip', 'undo'));
