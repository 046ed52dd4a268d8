import { db } from "#lib/base/db.ts";

/** Returns the failures of each subject before this attempt. A count restarts after 15 minutes without attempts. */
export async function countAttempts(subjects: string[]): Promise<Map<string, number>> {
  // Sorted, so that concurrent attempts lock the rows in the same order.
  const rows = await db.$queryRaw<{ subject: string; failures: number }[]>`
    INSERT INTO sign_in_attempt (subject, failures, last_failure)
    SELECT subject, 1, now() FROM unnest(${subjects}::text[]) AS subject ORDER BY subject
    ON CONFLICT (subject) DO UPDATE
       SET failures = CASE WHEN sign_in_attempt.last_failure < now() - interval '15 minutes'
                           THEN 1 ELSE least(sign_in_attempt.failures, 1000000) + 1 END,
           last_failure = now()
    RETURNING subject, failures`;
  return new Map(rows.map(({ subject, failures }) => [subject, failures - 1]));
}

/**
 * Resets the first count and takes one off the address's: a full reset would let an attacker clear it by signing in.
 * Also deletes old rows.
 */
export async function forgetAttempts(subject: string, address: string | null): Promise<void> {
  await db.$executeRaw`
    DELETE FROM sign_in_attempt WHERE subject = ${subject} OR last_failure < now() - interval '1 day'`;
  if (address === null) return;
  await db.$executeRaw`
    UPDATE sign_in_attempt SET failures = failures - 1 WHERE subject = ${address} AND failures > 0`;
}
