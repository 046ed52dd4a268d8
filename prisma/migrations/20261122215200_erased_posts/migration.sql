-- Erased posts that a consumer gave back (lib/ingest/withdraw-posts.ts).
CREATE INDEX post_erased_idx ON post (id) WHERE erased_at IS NOT NULL;
