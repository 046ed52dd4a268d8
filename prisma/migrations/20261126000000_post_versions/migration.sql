-- `version` rises with each edit at the post's own server. `reviewed_version` is the version of the last review, so that
-- an undo does not approve a text that no reviewer has read.
ALTER TABLE post ADD COLUMN version integer NOT NULL DEFAULT 1, ADD COLUMN reviewed_version integer NOT NULL DEFAULT 1;

-- The post was edited after it was shown to the reviewer.
ALTER TABLE review_decision DROP CONSTRAINT review_decision_result_check;
ALTER TABLE review_decision ADD CONSTRAINT review_decision_result_check
  CHECK (result IN ('applied', 'conflict', 'edited', 'not_found'));
