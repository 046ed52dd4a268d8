-- What a failed post was before a reviewer rejected it, so that undoing the rejection does not offer it again. Kept as
-- long as the rejection can be undone, which is until somebody decides again or the post is deleted.
ALTER TABLE error_batch
  DROP CONSTRAINT error_batch_kind_check,
  ADD CONSTRAINT error_batch_kind_check CHECK (kind IN ('requeue', 'dismiss', 'review'));
