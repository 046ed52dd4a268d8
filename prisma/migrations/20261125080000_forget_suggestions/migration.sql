-- The reason of a suggested block goes with the post that gave it (forget_quotes in prisma/functions/forget.sql). A block
-- made from a suggestion repeated the reason in its notes, and those were copied into the audit log and the undo.
CREATE TABLE repeated_reason AS
  SELECT DISTINCT ON (kind, target, reason) kind, target, reason, 'Suggested by ' || suggested_by AS notes
    FROM block_suggestion WHERE post_id IS NOT NULL ORDER BY kind, target, reason, id;
UPDATE blocked_user b SET notes = r.notes FROM repeated_reason r
 WHERE r.kind = 'user' AND r.target = b.account_identifier AND r.reason = b.notes;
UPDATE blocked_hashtag b SET notes = r.notes FROM repeated_reason r
 WHERE r.kind = 'hashtag' AND r.target = b.hashtag_folded AND r.reason = b.notes;
UPDATE audit_event e
   SET before = CASE WHEN before ->> 'notes' = r.reason THEN before || jsonb_build_object('notes', r.notes) ELSE before END,
       after = CASE WHEN after ->> 'notes' = r.reason THEN after || jsonb_build_object('notes', r.notes) ELSE after END
  FROM repeated_reason r
 WHERE e.action LIKE 'blocked\_' || r.kind || '.%' AND r.reason IN (before ->> 'notes', after ->> 'notes');
UPDATE action a SET before = jsonb_set(before, '{row,notes}', to_jsonb(r.notes)) FROM repeated_reason r
 WHERE a.kind = 'unblock' AND before ->> 'list' = r.kind AND before #>> '{row,notes}' = r.reason;
DROP TABLE repeated_reason;

UPDATE block_suggestion s SET reason = ''
 WHERE post_id IS NOT NULL AND NOT EXISTS (SELECT FROM post p WHERE p.id = s.post_id AND p.erased_at IS NULL);
