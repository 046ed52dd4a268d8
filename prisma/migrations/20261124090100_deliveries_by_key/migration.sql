-- Deliveries and errors of a key have one source, stat_bot, which counts them for the key that reported them: that of the
-- event. It was filled from stored entries and for the key that held the post. Deltas that wait for compaction are
-- subtracted, because it adds them.
DELETE FROM stat_bot;
INSERT INTO stat_bot (day, api_key_id, deliveries, errors)
SELECT day, api_key_id, sum(deliveries), sum(errors) FROM (
  SELECT (at AT TIME ZONE 'UTC')::date AS day, api_key_id, (action = 'ack')::int AS deliveries, (action = 'error')::int AS errors
    FROM post_event WHERE api_key_id IS NOT NULL AND action IN ('ack', 'error')
  UNION ALL
  SELECT day, api_key_id, -n * (kind = 'delivery')::int, -n * (kind = 'error')::int FROM stat_delta WHERE api_key_id IS NOT NULL
) each GROUP BY 1, 2 HAVING sum(deliveries) <> 0 OR sum(errors) <> 0;

-- Returned and timed-out reservations of one key by day (lib/stats/bot-days.ts).
DROP INDEX post_event_key_idx;
CREATE INDEX post_event_returned_idx ON post_event (api_key_id, at)
  WHERE api_key_id IS NOT NULL AND action IN ('nack', 'time_out');
