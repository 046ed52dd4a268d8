import { log } from "#lib/base/log.ts";
import {
  claimMail,
  deleteExpiredMail,
  endMail,
  repeatMail,
  type MailKind,
  type MailRow,
} from "./mail-sql.ts";
import { describeMailError, isMailSetUp, isRefusedForEver, openTransport, type Mail } from "./transport.ts";
export { isMailDue, queueAlertMail, queueInvitationMail, queueResetMail, type MailRow } from "./mail-sql.ts";

/** Seconds before each further attempt; the last one repeats until the mail expires. */
const DELAYS = [30, 120, 600, 1800];

/** Writes the mail of a row; null if there is nothing to send any more. */
export type Compose = Record<MailKind, (row: MailRow) => Promise<Mail | null>>;

/**
 * Sends until none is due. A server that does not answer ends the round, so that it costs each round one time-out.
 *
 * @param compose called for each attempt, because a one-time link is not stored
 */
export async function sendMail(
  { deadline, signal }: { deadline: Date; signal?: AbortSignal | undefined },
  compose: Compose,
): Promise<{ worked: boolean }> {
  await deleteExpiredMail();
  if (!isMailSetUp()) return { worked: false };
  const transport = await openTransport();
  let worked = false;
  while (!signal?.aborted && Date.now() < deadline.getTime()) {
    const row = await claimMail();
    if (row === null) break;
    worked = true;
    const mail = await compose[row.kind](row);
    if (mail === null) {
      await endMail(row);
      continue;
    }
    try {
      await transport.sendMail(mail);
      await endMail(row);
    } catch (error) {
      const isFinal = isRefusedForEver(error);
      log.warn({ mail: row.id, kind: row.kind, reason: describeMailError(error), isFinal }, "mail not sent");
      if (isFinal) await endMail(row);
      else await repeatMail(row, DELAYS[Math.min(row.attempts, DELAYS.length) - 1] ?? 0);
      if (!isFinal) return { worked: false };
    }
  }
  return { worked };
}
