import { db } from "#lib/db.ts";

type Subjects = { account: string; address: string | null };

/** Returns the failures before this attempt. The count restarts after 15 minutes without attempts. */
export async function countAttempt(subjects: Subjects): Promise<{ account: number; address: number }> {
  const names = [subjects.account, ...(subjects.address === null ? [] : [subjects.address])];
  // Sorted, so that concurrent attempts lock the rows in the same order.
  const rows = await db.$queryRaw<{ subject: string; failures: number }[]>`
    INSERT INTO sign_in_attempt (subject, failures, last_failure)
    SELECT subject, 1, now() FROM unnest(${names}::text[]) AS subject ORDER BY subject
    ON CONFLICT (subject) DO UPDATE
       SET failures = CASE WHEN sign_in_attempt.last_failure < now() - interval '15 minutes'
                           THEN 1 ELSE least(sign_in_attempt.failures, 1000000) + 1 END,
           last_failure = now()
    RETURNING subject, failures`;
  const before = (name: string | null) => (rows.find((row) => row.subject === name)?.failures ?? 1) - 1;
  return { account: before(subjects.account), address: before(subjects.address) };
}

/**
 * Resets the account's count and takes one off the address's: a full reset would let an attacker clear it by
 * signing in. Also deletes old rows.
 */
export async function forgetAttempts(subjects: Subjects): Promise<void> {
  await db.$executeRaw`
    DELETE FROM sign_in_attempt
     WHERE subject = ${subjects.account} OR last_failure < now() - interval '1 day'`;
  if (subjects.address === null) return;
  await db.$executeRaw`
    UPDATE sign_in_attempt SET failures = failures - 1 WHERE subject = ${subjects.address} AND failures > 0`;
}
