import { db, Prisma } from "#lib/base/db.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { judgeStored } from "./sql.ts";

/* Checks that run after the text stage, in the background: of pictures, and by the chat model. */

/** A check that runs after the text stage. Also the prefix of its columns in `post_check`. */
type LaterCheck = "picture" | "remote";

/** A post that one process checks. If the process dies, the claim ends with its lease. */
export interface Claim {
  post_id: number;
  /** End of the claim; identifies it. */
  lease: Date;
  /** Number of failed attempts. */
  attempts: number;
}

const LEASE = "5 minutes";
const RETRY_MINUTES = [1, 5, 30, 120, 720];

const column = (check: LaterCheck, name: "state" | "attempts" | "due_at") => Prisma.raw(`${check}_${name}`);
const isDue = (check: LaterCheck) =>
  Prisma.sql`${column(check, "state")} = 'waiting' AND ${column(check, "due_at")} <= now()`;

export async function isAnyDue(check: LaterCheck): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT FROM post_check WHERE ${isDue(check)} LIMIT 1`;
  return rows.length > 0;
}

/** Claims the post that is due for longest. Concurrent calls get different posts. */
export async function claimPost(check: LaterCheck): Promise<Claim | null> {
  const due_at = column(check, "due_at");
  const rows = await db.$queryRaw<Claim[]>`
    UPDATE post_check SET ${due_at} = now() + ${LEASE}::interval
     WHERE post_id = (SELECT post_id FROM post_check WHERE ${isDue(check)}
                       ORDER BY ${due_at}, post_id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING post_id, ${due_at} AS lease, ${column(check, "attempts")}::int AS attempts`;
  return rows[0] ?? null;
}

/** Checks due posts, several at a time, until none is left or `mayBegin` returns false. */
export async function checkDue(
  check: LaterCheck,
  atOnce: number,
  mayBegin: () => Promise<boolean>,
  run: (claim: Claim) => Promise<unknown>,
): Promise<{ worked: boolean }> {
  let worked = false;
  const work = async () => {
    while (await mayBegin()) {
      const claim = await claimPost(check);
      if (claim === null) return;
      worked = true;
      await run(claim);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { worked };
}

/** Time of the next attempt after so many failures; null for never. */
export function retryAt(attempts: number): Date | null {
  const minutes = RETRY_MINUTES[attempts - 1];
  return minutes === undefined ? null : new Date(Date.now() + minutes * 60_000);
}

export interface Outcome {
  state: string;
  attempts: number;
  /** Null unless the state is `waiting`. */
  due_at: Date | null;
  /** SQL: columns of the result. */
  result?: Prisma.Sql;
}

/**
 * Ends a claim: stores a result and the verdict with it.
 *
 * @returns false when the lease was lost, or the post has changed and is due again
 */
export async function settleClaim(
  check: LaterCheck,
  { post_id, lease }: Claim,
  { state, attempts, due_at, result }: Outcome,
): Promise<boolean> {
  const settings = await readCheckSettings();
  return inTransaction(async (tx) => {
    // Unchecked and erased posts have no verdict; reviewed posts keep the one of their decision.
    const checked = await tx.$queryRaw<unknown[]>`
      SELECT FROM post WHERE id = ${post_id} AND classified_at IS NOT NULL AND erased_at IS NULL AND approved IS NULL
         FOR NO KEY UPDATE`;
    const stored = await tx.$executeRaw`
      UPDATE post_check
         SET ${column(check, "state")} = ${state}, ${column(check, "attempts")} = ${attempts}::smallint,
             ${column(check, "due_at")} = ${due_at}, updated_at = now() ${result ? Prisma.sql`, ${result}` : Prisma.empty}
       WHERE post_id = ${post_id} AND ${column(check, "state")} = 'waiting' AND ${column(check, "due_at")} = ${lease}`;
    if (stored === 0) return false;
    if (checked.length > 0) await judgeStored(tx, [post_id], settings);
    return true;
  });
}
