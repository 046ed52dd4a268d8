import { db } from "#lib/base/db.ts";

/**
 * Has unreviewed posts classified again after a change, which must be committed before. Until then they keep their advice.
 */
export async function adviseAgain(): Promise<void> {
  await db.$executeRaw`
    INSERT INTO setting (name, value) VALUES ('advice', jsonb_build_object('from', clock_timestamp()))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = now()`;
}

/** Unreviewed posts whose advice is older than the last change. */
export async function outdatedIds(limit: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM post WHERE approved IS NULL AND erased_at IS NULL AND classified_at <
           (SELECT (value ->> 'from')::timestamptz FROM setting WHERE name = 'advice')
     ORDER BY classified_at NULLS FIRST, id LIMIT ${limit}`;
  return rows.map((row) => row.id);
}
