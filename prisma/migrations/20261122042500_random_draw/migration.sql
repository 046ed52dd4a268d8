-- A random draw reads a hundred or so posts out of an index of random keys, of which it takes one: the rest were looked
-- up in the table only to learn their ids, each on another page of it. With the id in the index, none is, once a vacuum
-- has passed. Among a million posts, that was a page out of four of what a draw touches and nearly all it had to fetch.
-- Two names are new because an index cannot be changed: the old ones go when the new ones are there.
CREATE INDEX queue_entry_due_draw_idx ON queue_entry (lacks, random_key) INCLUDE (post_id)
  WHERE state = 'pending' AND holds = 0 AND not_before IS NULL;
DROP INDEX queue_entry_due_random_idx;
ALTER INDEX queue_entry_due_draw_idx RENAME TO queue_entry_due_random_idx;
CREATE INDEX queue_entry_due_stream_draw_idx ON queue_entry (stream_id, lacks, random_key) INCLUDE (post_id)
  WHERE state = 'pending' AND holds = 0 AND not_before IS NULL;
DROP INDEX queue_entry_due_stream_random_idx;
ALTER INDEX queue_entry_due_stream_draw_idx RENAME TO queue_entry_due_stream_random_idx;
CREATE INDEX queue_topic_draw_idx ON queue_topic (tag, lacks, random_key) INCLUDE (post_id);
DROP INDEX queue_topic_random_idx;
ALTER INDEX queue_topic_draw_idx RENAME TO queue_topic_random_idx;
CREATE INDEX queue_topic_stream_draw_idx ON queue_topic (tag, stream_id, lacks, random_key) INCLUDE (post_id);
DROP INDEX queue_topic_stream_random_idx;
ALTER INDEX queue_topic_stream_draw_idx RENAME TO queue_topic_stream_random_idx;

-- The author rule of the random draw, as before: locks the oldest eligible post of a drawn post's author, p_taken left
-- out; null when all of them are in others' hands. The author is asked as a range of one name and nothing is to be
-- sorted: only queue_entry_due_author_idx answers so. Asked by "=", every index of authors or of states would do, and
-- the planner, which takes the other conditions to leave next to nothing, took a smaller one, read all posts of the
-- author and sorted them, as many as there are.
CREATE OR REPLACE FUNCTION queue_oldest_of_author(
  p_drawn integer, p_mask integer, p_streams integer[], p_tags text[], p_taken integer[]
) RETURNS integer LANGUAGE plpgsql VOLATILE SET enable_sort = off AS $$
DECLARE
  author text := (SELECT author_key FROM queue_entry WHERE post_id = p_drawn);
  found_id integer;
BEGIN
  SELECT post_id INTO found_id FROM queue_entry
   WHERE state = 'pending' AND holds = 0 AND not_before IS NULL
     AND author_key >= author AND author_key <= author
     AND lacks & p_mask = 0
     AND (cardinality(p_streams) = 0 OR stream_id = ANY (p_streams))
     AND (p_tags IS NULL OR tags && p_tags)
     AND post_id <> ALL (p_taken)
   ORDER BY author_key, approved_at, post_id LIMIT 1 FOR UPDATE SKIP LOCKED;
  RETURN found_id;
END $$;
