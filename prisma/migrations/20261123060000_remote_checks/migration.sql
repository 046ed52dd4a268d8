-- The operator's question about the posts of a stream; empty: none.
ALTER TABLE stream
  ADD COLUMN check_question text NOT NULL DEFAULT '' CHECK (char_length(check_question) <= 300),
  ADD COLUMN check_question_votes boolean NOT NULL DEFAULT false;

-- Whether reviewers see the check; null: the default in the code.
ALTER TABLE check_setting ADD COLUMN shown boolean;

-- Hash of the post's text, its pictures and the question, as they were sent. Results of another key are outdated.
ALTER TABLE post_check ADD COLUMN remote_key text;

ALTER TABLE check_provider ADD COLUMN failed_at timestamptz(3);
