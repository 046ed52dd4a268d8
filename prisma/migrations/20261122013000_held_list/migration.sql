-- Posts held by one reason, listed newest first and counted (lib/posts/held-sql.ts, lib/queue/overview-sql.ts). Which
-- reason comes first depends on the switches, which are one row elsewhere; so an entry stands under what it lacks and
-- its first hold (`holds & -holds` is the lowest bit), and a reason is a few such runs. What neither lacks nor is held
-- is left out, and so is what does not wait: handing a post out adds nothing to this index.
-- (holds stands in it once more because an index that has only an expression of a column cannot answer alone.)
CREATE INDEX queue_entry_held_by_idx
  ON queue_entry (lacks, (holds & -holds), post_created_at DESC, post_id DESC) INCLUDE (holds)
  WHERE state = 'pending' AND (lacks <> 0 OR holds <> 0);
