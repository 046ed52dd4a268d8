-- The end of the last round of background work, by any worker. Whether workers work is seen by other processes only here.
ALTER TABLE installation ADD COLUMN last_round_at timestamptz(3) NOT NULL DEFAULT now();
