-- Of the verdict that was computed from the raw results, so that an unchanged verdict is not written again.
ALTER TABLE post_check ADD COLUMN verdict_hash bigint;

-- Work on many posts, highest id first. A new request increments the generation and begins again.
CREATE TABLE check_job (
  name        text PRIMARY KEY,
  generation  int NOT NULL DEFAULT 1,
  -- Posts from this id on are done.
  done_from   int,
  finished    boolean NOT NULL DEFAULT false,
  updated_at  timestamptz(3) NOT NULL DEFAULT now()
);
-- Reviews before this version become examples.
INSERT INTO check_job (name) VALUES ('examples');
