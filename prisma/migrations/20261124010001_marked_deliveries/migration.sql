-- deliver: a failed post that was marked as delivered.
ALTER TABLE error_batch DROP CONSTRAINT error_batch_kind_check,
  ADD CONSTRAINT error_batch_kind_check CHECK (kind IN ('requeue', 'dismiss', 'review', 'deliver'));
