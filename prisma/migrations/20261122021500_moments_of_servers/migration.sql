-- What happened to the posts of one server: counted in its own index, whichever moment is asked about.
DROP INDEX post_instance_idx;
CREATE INDEX post_instance_idx ON post (instance, created_at DESC, id DESC)
  INCLUDE (fetched_at, reviewed_at, approved, auto_reject_reason);
