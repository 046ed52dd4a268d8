-- Posts are deleted by age from this time on (lib/posts/retention.ts). An upgrade gives admins a week to change the days
-- before posts that were kept so far are deleted.
ALTER TABLE retention_setting ADD COLUMN starts_at timestamptz(3) NOT NULL DEFAULT now();
UPDATE retention_setting SET starts_at = now() + interval '7 days' WHERE EXISTS (SELECT FROM post);
