-- Figures by bot, by language, by what became of the posts of a day, and of posts that two reviewers decided
-- (prisma/functions/statistics.sql).
ALTER TABLE stat_delta
  ADD COLUMN language   text,
  -- The key that reserved the post, and the bucket of the time from publication to delivery.
  ADD COLUMN api_key_id integer,
  ADD COLUMN age        smallint,
  -- UTC day of the fetch, and what became of the post.
  ADD COLUMN fetched_on date,
  ADD COLUMN outcome    text,
  -- The second decision about a post.
  ADD COLUMN second_id  integer,
  ADD COLUMN second     text;

-- '' is an unknown language.
CREATE TABLE stat_language (
  day date NOT NULL, language text NOT NULL,
  fetched integer NOT NULL DEFAULT 0, reviews integer NOT NULL DEFAULT 0, approvals integer NOT NULL DEFAULT 0,
  PRIMARY KEY (day, language)
);

CREATE TABLE stat_bot (
  day date NOT NULL, api_key_id integer NOT NULL,
  deliveries integer NOT NULL DEFAULT 0, errors integer NOT NULL DEFAULT 0,
  PRIMARY KEY (api_key_id, day)
);

-- Histogram of the age at delivery, with the buckets of stat_wait.
CREATE TABLE stat_bot_age (
  day date NOT NULL, api_key_id integer NOT NULL, bucket smallint NOT NULL, n integer NOT NULL DEFAULT 0,
  PRIMARY KEY (api_key_id, day, bucket)
);

-- By UTC day of the fetch: unreviewed, auto_rejected, rejected and approved add up to the fetched posts, with deleted
-- (unreviewed ones), and unknown (deleted before this table). Of the approved: delivered, failed, removed (deleted while
-- they waited); the others wait.
CREATE TABLE stat_outcome (
  day date NOT NULL, outcome text NOT NULL, n integer NOT NULL DEFAULT 0,
  PRIMARY KEY (day, outcome)
);

-- Posts decided twice, by UTC day of the second decision. outcome: same, different, taken_back (without a second reviewer).
CREATE TABLE stat_agreement (
  day date NOT NULL, first_id integer NOT NULL, first text NOT NULL, second_id integer NOT NULL, second text NOT NULL,
  outcome text NOT NULL, n integer NOT NULL DEFAULT 0,
  PRIMARY KEY (day, first_id, first, second_id, second, outcome)
);

INSERT INTO stat_outcome (day, outcome, n)
SELECT (fetched_at AT TIME ZONE 'UTC')::date,
       CASE WHEN approved IS NULL THEN 'unreviewed' WHEN approved THEN 'approved'
            WHEN auto_reject_reason IS NOT NULL THEN 'auto_rejected' ELSE 'rejected' END, count(*)
  FROM post GROUP BY 1, 2
UNION ALL
SELECT (p.fetched_at AT TIME ZONE 'UTC')::date, CASE q.state WHEN 'error' THEN 'failed' ELSE q.state END, count(*)
  FROM queue_entry q JOIN post p ON p.id = q.post_id WHERE q.state IN ('delivered', 'error') GROUP BY 1, 2;

INSERT INTO stat_outcome (day, outcome, n)
SELECT f.day, 'unknown', f.fetched - coalesce(s.stored, 0)
  FROM (SELECT day, sum(fetched)::int AS fetched FROM counter_daily GROUP BY day) f
  LEFT JOIN (SELECT (fetched_at AT TIME ZONE 'UTC')::date AS day, count(*)::int AS stored FROM post GROUP BY 1) s USING (day)
 WHERE f.fetched > coalesce(s.stored, 0);

INSERT INTO stat_language (day, language, fetched)
SELECT (fetched_at AT TIME ZONE 'UTC')::date, coalesce(language, ''), count(*) FROM post GROUP BY 1, 2;

INSERT INTO stat_language AS t (day, language, reviews, approvals)
SELECT (reviewed_at AT TIME ZONE 'UTC')::date, coalesce(language, ''), count(*), count(*) FILTER (WHERE approved)
  FROM post WHERE approved OR (NOT approved AND auto_reject_reason IS NULL) GROUP BY 1, 2
ON CONFLICT (day, language) DO UPDATE SET reviews = excluded.reviews, approvals = excluded.approvals;

INSERT INTO stat_bot (day, api_key_id, deliveries, errors)
SELECT (coalesce(delivered_at, errored_at) AT TIME ZONE 'UTC')::date, lease_key_id,
       count(*) FILTER (WHERE state = 'delivered'), count(*) FILTER (WHERE state = 'error')
  FROM queue_entry
 WHERE state IN ('delivered', 'error') AND lease_key_id IS NOT NULL AND coalesce(delivered_at, errored_at) IS NOT NULL
 GROUP BY 1, 2;
