-- How often posts with a feature were reviewed and rejected; evidence for reasons.
ALTER TABLE check_model ADD COLUMN counts bytea NOT NULL DEFAULT '';

-- Identifies the settings or the model that a job was started for. A job with another key starts again.
ALTER TABLE check_job DROP COLUMN generation, ADD COLUMN key text NOT NULL DEFAULT '';
INSERT INTO check_job (name) VALUES ('rejudge'), ('predict');
