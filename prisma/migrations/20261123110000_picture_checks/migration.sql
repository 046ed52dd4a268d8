-- Results of pictures that were stored, but not judged because the process ended in between.
CREATE INDEX post_check_picture_unjudged_idx ON post_check (picture_due_at)
 WHERE picture_state <> 'waiting' AND picture_due_at IS NOT NULL;

-- The last failure of the picture classifiers, for the screens; deleted when they work again.
CREATE TABLE vision_failure (
  id         int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  reason     text NOT NULL,
  failed_at  timestamptz(3) NOT NULL DEFAULT now()
);
