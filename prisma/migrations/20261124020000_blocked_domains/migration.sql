-- A blocked domain is one entry with all hosts below it. Before, it was two suffixes, '@domain' and '.domain', and
-- removing one of them left the other. Queue entries do not change: a pair matches the same authors as its domain.
ALTER TABLE blocked_user DROP CONSTRAINT blocked_user_pattern_type_check,
  ADD CONSTRAINT blocked_user_pattern_type_check
    CHECK (pattern_type IN ('exact', 'suffix', 'prefix', 'contains', 'domain'));
ALTER TABLE block_change DROP CONSTRAINT block_change_pattern_type_check,
  ADD CONSTRAINT block_change_pattern_type_check
    CHECK (pattern_type IN ('exact', 'suffix', 'prefix', 'contains', 'domain', 'any'));

WITH pair AS (
  SELECT a.id AS host_id, b.id AS below_id, substr(a.account_identifier, 2) AS domain,
         coalesce(a.notes, b.notes) AS notes, least(a.created_at, b.created_at) AS created_at
    FROM blocked_user a
    JOIN blocked_user b ON b.pattern_type = 'suffix' AND b.account_identifier = '.' || substr(a.account_identifier, 2)
   WHERE a.pattern_type = 'suffix' AND a.account_identifier LIKE '@%'
), removed AS (
  DELETE FROM blocked_user u USING pair WHERE u.id = pair.below_id
)
UPDATE blocked_user u
   SET account_identifier = pair.domain, pattern_type = 'domain', notes = pair.notes, created_at = pair.created_at
  FROM pair WHERE u.id = pair.host_id;

-- A blocked author is no longer trusted.
DELETE FROM author_standing a USING blocked_user b
 WHERE a.standing = 'trusted'
   AND CASE b.pattern_type
         WHEN 'exact' THEN a.author_key = b.account_identifier
         WHEN 'suffix' THEN right(a.author_key, length(b.account_identifier)) = b.account_identifier
         WHEN 'prefix' THEN left(a.author_key, length(b.account_identifier)) = b.account_identifier
         WHEN 'contains' THEN position(b.account_identifier IN a.author_key) > 0
         ELSE right(a.author_key, length(b.account_identifier) + 1)
              IN ('@' || b.account_identifier, '.' || b.account_identifier)
       END;
