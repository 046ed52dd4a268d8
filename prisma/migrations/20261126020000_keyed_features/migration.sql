-- Features of the learner are hashed with a key of the installation, and go with the content of their post.

-- In the database, so that examples and models outlive a change of ENCRYPTION_KEY and many instances share them.
ALTER TABLE installation ADD COLUMN feature_secret bytea NOT NULL
  DEFAULT decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');

-- The last reasons quote slots of a public hash. Verdicts are computed again without them.
DROP TRIGGER IF EXISTS post_check_complete_example ON post_check;
ALTER TABLE post_check ADD COLUMN features int[] NOT NULL DEFAULT '{}';
UPDATE post_check SET learner_reasons = '[]' WHERE learner_reasons <> '[]';
ALTER TABLE post_check DROP COLUMN slots;
UPDATE check_job SET done_from = NULL, finished = false, updated_at = now() WHERE name = 'rejudge';

-- Ids from lib/learner/features.ts; none until the text is checked, and in emptied examples.
ALTER TABLE check_example ADD COLUMN features int[] NOT NULL DEFAULT '{}',
  ADD COLUMN instance_hmac bytea,
  -- Made by the training that learnt the example first, before it learnt it.
  ADD COLUMN prediction real,
  -- The post was deleted after its delivery or by its age: decision and scores of the checks stay for the figures.
  ADD COLUMN emptied boolean NOT NULL DEFAULT false;
DELETE FROM check_example x
 WHERE EXISTS (SELECT FROM post p WHERE p.id = x.post_id AND p.erased_at IS NOT NULL)
    OR EXISTS (SELECT FROM post_event e WHERE e.post_id = x.post_id AND e.action IN ('delete', 'opt_out'));
UPDATE check_example x SET slots = NULL, vector = NULL, emptied = true
 WHERE NOT EXISTS (SELECT FROM post p WHERE p.id = x.post_id);
-- uri_hmac() is a function of an existing database; a new one has no examples.
DO $$
BEGIN
  IF EXISTS (SELECT FROM check_example WHERE NOT emptied) THEN
    EXECUTE 'UPDATE check_example x SET slots = NULL, instance_hmac = uri_hmac(p.instance)
               FROM post p WHERE p.id = x.post_id';
  END IF;
END $$;
ALTER TABLE check_example DROP COLUMN slots;
CREATE INDEX check_example_instance_idx ON check_example (instance_hmac) INCLUDE (rejected, learn);

-- Reviews of emptied examples by feature. Only features that several examples of stored posts had have a row, and no row
-- belongs to one post. Feature -1 counts the emptied examples themselves.
CREATE TABLE check_feature_count (
  feature  int PRIMARY KEY,
  reviewed int NOT NULL DEFAULT 0,
  rejected int NOT NULL DEFAULT 0 CHECK (rejected BETWEEN 0 AND reviewed)
);
INSERT INTO check_feature_count (feature) VALUES (-1);

-- Weights by slot. Only the newest model keeps its state from now on; the next training makes one.
UPDATE check_model SET state = '';
ALTER TABLE check_model DROP COLUMN counts;

-- Stored posts get their features in the background (lib/classify/fill-features.ts).
INSERT INTO check_job (name, key, finished) SELECT 'features', '1', NOT EXISTS (SELECT FROM post_check);
