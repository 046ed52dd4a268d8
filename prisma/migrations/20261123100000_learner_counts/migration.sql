-- How often posts with a feature were reviewed and rejected; evidence for reasons.
ALTER TABLE check_model ADD COLUMN counts bytea NOT NULL DEFAULT '';

-- What the work was begun for, such as the present settings or the newest model; another key begins again.
ALTER TABLE check_job DROP COLUMN generation, ADD COLUMN key text NOT NULL DEFAULT '';
INSERT INTO check_job (name) VALUES ('rejudge'), ('predict');
