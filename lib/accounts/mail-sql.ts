import { db, type Tx } from "#lib/base/db.ts";
import type { AlertChange } from "#lib/stats/watch-alerts.ts";

export type MailKind = "alert" | "invite" | "reset";

/** A mail as claimed for one attempt. */
export interface MailRow {
  id: bigint;
  kind: MailKind;
  member_id: number | null;
  alert_ids: number[];
  invitation_id: number | null;
  address: string | null;
  attempts: number;
}

/** A killed process leaves its mail due again after this time. */
const CLAIM_SECONDS = 120;

/** One mail for each active admin who wants it. Alerts of the next minute go into the same one. */
export async function queueAlertMail(tx: Tx, { started, ended }: AlertChange): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO mail (kind, member_id, alert_ids, next_attempt_at, expires_at)
    SELECT 'alert', id, ${[...started, ...ended]}::int[], now() + interval '1 minute', now() + interval '1 day'
      FROM member
     WHERE role = 'admin' AND disabled_at IS NULL AND preferences -> 'alert_mail' IS DISTINCT FROM 'false'::jsonb
    ON CONFLICT (member_id) WHERE kind = 'alert' AND attempts = 0
    DO UPDATE SET alert_ids = ARRAY(SELECT DISTINCT unnest(mail.alert_ids || excluded.alert_ids) ORDER BY 1)`;
}

export async function queueInvitationMail(tx: Tx, invitationId: number): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO mail (kind, invitation_id, expires_at) VALUES ('invite', ${invitationId}, now() + interval '1 day')`;
}

/** At most one mail in five minutes for each address, whether it belongs to a member or not. */
export async function queueResetMail(address: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO mail (kind, address, expires_at) VALUES ('reset', ${address}, now() + interval '1 hour')
    ON CONFLICT (lower(address)) WHERE kind = 'reset' DO NOTHING`;
}

export async function isMailDue(): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT FROM mail WHERE next_attempt_at <= now() OR expires_at <= now() LIMIT 1`;
  return rows.length > 0;
}

/** Deletes what is too old to be sent. */
export async function deleteExpiredMail(): Promise<void> {
  await db.$executeRaw`DELETE FROM mail WHERE expires_at <= now()`;
}

export async function claimMail(): Promise<MailRow | null> {
  const rows = await db.$queryRaw<MailRow[]>`
    UPDATE mail SET attempts = attempts + 1, next_attempt_at = now() + ${CLAIM_SECONDS}::int * interval '1 second'
     WHERE id = (SELECT id FROM mail WHERE next_attempt_at <= now() AND expires_at > now()
                  ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, kind, member_id, alert_ids, invitation_id, address, attempts`;
  return rows[0] ?? null;
}

/** The row of a reset stays for five minutes and refuses further requests. */
export async function endMail({ id, kind }: MailRow): Promise<void> {
  if (kind === "reset")
    await db.$executeRaw`
      UPDATE mail SET next_attempt_at = 'infinity', expires_at = now() + interval '5 minutes' WHERE id = ${id}`;
  else await db.mail.deleteMany({ where: { id } });
}

export async function repeatMail({ id }: MailRow, seconds: number): Promise<void> {
  await db.$executeRaw`
    UPDATE mail SET next_attempt_at = now() + ${seconds}::int * interval '1 second' WHERE id = ${id}`;
}
