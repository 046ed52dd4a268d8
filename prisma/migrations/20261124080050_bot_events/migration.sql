-- Figures of one key by day (lib/stats/bot-days.ts).
CREATE INDEX post_event_key_idx ON post_event (api_key_id, at)
  WHERE api_key_id IS NOT NULL AND action IN ('ack', 'nack', 'error', 'time_out');
