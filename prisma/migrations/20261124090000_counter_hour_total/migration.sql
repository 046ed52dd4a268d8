-- Flows by UTC hour of all streams together: the forecast of the queue and the heat map read one row an hour, not one
-- for each stream. compact_counters() (prisma/functions/counters.sql) sums the hours that it changes.
CREATE TABLE counter_hour_total (
  hour timestamptz(0) PRIMARY KEY,
  fetched integer NOT NULL DEFAULT 0, reviews integer NOT NULL DEFAULT 0, approvals integer NOT NULL DEFAULT 0,
  rejections integer NOT NULL DEFAULT 0, auto_rejected integer NOT NULL DEFAULT 0, deliveries integer NOT NULL DEFAULT 0
);

-- With the deltas that are not yet compacted. A bound on "hour" applies to both parts.
CREATE VIEW counter_hourly_total AS
  SELECT hour, fetched, reviews, approvals, rejections, auto_rejected, deliveries FROM counter_hour_total
  UNION ALL
  SELECT hour, fetched, reviews, approvals, rejections, auto_rejected, deliveries FROM counter_delta;

-- The lock of compactions, which leave out a turn meanwhile.
SELECT pg_advisory_xact_lock(7103);
INSERT INTO counter_hour_total (hour, fetched, reviews, approvals, rejections, auto_rejected, deliveries)
SELECT hour, sum(fetched), sum(reviews), sum(approvals), sum(rejections), sum(auto_rejected), sum(deliveries)
  FROM counter_hour GROUP BY hour;
