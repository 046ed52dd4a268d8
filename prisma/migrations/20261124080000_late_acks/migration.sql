-- The reservation that ended last, by a time-out or by an operator, while nobody else has had the post. An ack that
-- names it still counts, because the consumer has probably boosted the post.
ALTER TABLE queue_entry
  ADD COLUMN last_lease_id        uuid,
  ADD COLUMN last_lease_key_id    integer,
  ADD COLUMN last_lease_member_id integer,
  ADD CHECK (last_lease_id IS NULL OR state = 'pending');
