-- Each page with a refusing author looks for figures under the author's name (forget_authors).
CREATE INDEX stat_delta_author_idx ON stat_delta (author_key) WHERE author_key IS NOT NULL;
