-- A group of failed posts that was requeued or rejected at once, to be taken back: what the entries were. Kept for a
-- day; a post that is deleted takes its line along.
CREATE TABLE error_batch (
  id uuid PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT now(),
  kind text NOT NULL CHECK (kind IN ('requeue', 'dismiss')),
  reason text NOT NULL,
  -- Of the rejection: a post that was decided again since is left as it is.
  reviewed_at timestamptz(3),
  undone_at timestamptz(3)
);
-- Pruning.
CREATE INDEX error_batch_at_idx ON error_batch (at);
CREATE TABLE error_batch_entry (
  batch_id uuid NOT NULL REFERENCES error_batch (id) ON DELETE CASCADE,
  post_id integer NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  -- As in queue_entry.
  approved_at timestamptz(3) NOT NULL,
  deliveries integer NOT NULL,
  nacks integer NOT NULL,
  timeouts integer NOT NULL,
  lease_label text,
  reserved_at timestamptz(3),
  errored_at timestamptz(3),
  error_reason text NOT NULL,
  error_details jsonb,
  PRIMARY KEY (batch_id, post_id)
);
-- Deletion of a post.
CREATE INDEX error_batch_entry_post_idx ON error_batch_entry (post_id);
