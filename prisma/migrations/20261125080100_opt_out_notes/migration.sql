-- The note of a confirmed opt-out quoted the consumer's report, and removing the block copied it into the audit log and
-- the undo. The report itself and the history keep the reason as long as the post (lib/consent/opt-outs.ts).
UPDATE blocked_user SET notes = 'Opted out' WHERE notes LIKE 'Opted out: %';
UPDATE audit_event
   SET before = CASE WHEN before ->> 'notes' LIKE 'Opted out: %' THEN before || '{"notes": "Opted out"}' ELSE before END,
       after = CASE WHEN after ->> 'notes' LIKE 'Opted out: %' THEN after || '{"notes": "Opted out"}' ELSE after END
 WHERE action LIKE 'blocked\_user.%' AND (before ->> 'notes' LIKE 'Opted out: %' OR after ->> 'notes' LIKE 'Opted out: %');
UPDATE action SET before = jsonb_set(before, '{row,notes}', '"Opted out"')
 WHERE kind = 'unblock' AND before #>> '{row,notes}' LIKE 'Opted out: %';
