-- How many posts have a language, as filters compare it (tags are ASCII, so by their bytes): without it the planner
-- takes every language for a rare one, and reads and sorts all posts instead of walking to the first few.
CREATE STATISTICS post_language_share ON (lower(language COLLATE "C")) FROM post;
ANALYZE post (language);
