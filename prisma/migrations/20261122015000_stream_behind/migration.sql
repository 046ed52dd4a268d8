-- Since when a stream's fetches have ended with more waiting on its server; null when the last one read all there was.
-- A stream that is behind is fetched before its interval is over (lib/streams/fetch-sql.ts).
ALTER TABLE stream ADD COLUMN behind_since timestamptz(3);
