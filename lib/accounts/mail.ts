import type { Transporter } from "nodemailer";
import { db, type Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";

/** Time limit for the connection, the greeting and each answer of the mail server. */
const TIMEOUT_MS = 10_000;
const LOOPBACK = /^(localhost|127\.[\d.]+|\[?::1\]?)$/;

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Whether a mail server is configured. */
export function isMailSetUp(): boolean {
  return env().SMTP_URL !== undefined;
}

/** A transport that opens a connection for each mail. @throws Error without SMTP_URL */
async function openTransport(): Promise<Transporter> {
  const { SMTP_URL: url, SMTP_FROM: from } = env();
  if (url === undefined) throw new Error("SMTP_URL is not set");
  const { createTransport } = await import("nodemailer");
  const { hostname, username } = new URL(url);
  // A relay on this machine rarely has a valid certificate. Elsewhere a password is sent over TLS only.
  const isHere = LOOPBACK.test(hostname);
  return createTransport(
    {
      url,
      ignoreTLS: isHere,
      requireTLS: !isHere && username !== "",
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // Programs that answer automatically ignore such mail (RFC 3834).
    { from, headers: { "Auto-Submitted": "auto-generated" } },
  );
}

/** The error for the log, without its message: servers repeat addresses in it. */
function describeMailError(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return [code ?? "no answer", responseCode].filter((part) => part !== undefined).join(" ");
}

/** Whether the server will never take this mail, for example because its recipient is unknown. */
function isRefusedForEver(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return code === "EENVELOPE" && (responseCode ?? 0) >= 500;
}

type MailKind = "alert" | "invite" | "reset";

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

/** A claimed mail is due again after this time, if the process that claimed it was killed. */
const CLAIM_SECONDS = 120;

/** Queues a mail to each active admin who wants it. Alerts of the next minute are added to the same mail. */
export async function queueAlertMail(
  tx: Tx,
  { started, ended }: Record<"started" | "ended", number[]>,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO mail (kind, member_id, alert_ids, next_attempt_at, expires_at)
    SELECT 'alert', id, ${[...started, ...ended]}::int[], now() + interval '1 minute', now() + interval '1 day'
      FROM member
     WHERE role = 'admin' AND disabled_at IS NULL AND preferences -> 'alert_mail' IS DISTINCT FROM 'false'::jsonb
    ON CONFLICT (member_id) WHERE kind = 'alert' AND attempts = 0
    DO UPDATE SET alert_ids = ARRAY(SELECT DISTINCT unnest(mail.alert_ids || excluded.alert_ids) ORDER BY 1)`;
}

/** Queues the mail of an invitation. */
export async function queueInvitationMail(tx: Tx, invitationId: number): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO mail (kind, invitation_id, expires_at) VALUES ('invite', ${invitationId}, now() + interval '1 day')`;
}

/** Queues a reset mail. An address gets at most one in five minutes, whether it belongs to a member or not. */
export async function queueResetMail(address: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO mail (kind, address, expires_at) VALUES ('reset', ${address}, now() + interval '1 hour')
    ON CONFLICT (lower(address)) WHERE kind = 'reset' DO NOTHING`;
}

/** Deletes mail that is too old to be sent. */
async function deleteExpiredMail(): Promise<void> {
  await db.$executeRaw`DELETE FROM mail WHERE expires_at <= now()`;
}

/** Takes the next mail that is due, so that no other process sends it. */
async function claimMail(): Promise<MailRow | null> {
  const rows = await db.$queryRaw<MailRow[]>`
    UPDATE mail SET attempts = attempts + 1, next_attempt_at = now() + ${CLAIM_SECONDS}::int * interval '1 second'
     WHERE id = (SELECT id FROM mail WHERE next_attempt_at <= now() AND expires_at > now()
                  ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, kind, member_id, alert_ids, invitation_id, address, attempts`;
  return rows[0] ?? null;
}

/** Deletes a sent mail. The row of a reset stays for five minutes, in which it refuses further requests. */
async function endMail({ id, kind }: MailRow): Promise<void> {
  if (kind === "reset")
    await db.$executeRaw`
      UPDATE mail SET next_attempt_at = 'infinity', expires_at = now() + interval '5 minutes' WHERE id = ${id}`;
  else await db.mail.deleteMany({ where: { id } });
}

/** Makes a mail due again after some seconds. */
async function repeatMail({ id }: MailRow, seconds: number): Promise<void> {
  await db.$executeRaw`
    UPDATE mail SET next_attempt_at = now() + ${seconds}::int * interval '1 second' WHERE id = ${id}`;
}

/** Seconds before each further attempt; the last one repeats until the mail expires. */
const DELAYS = [30, 120, 600, 1800];

/** Writes the mail of a row; null if there is nothing to send any more. */
export type Compose = Record<MailKind, (row: MailRow) => Promise<Mail | null>>;

/**
 * Sends mail until none is due. A server that does not answer ends the round, so that it costs each round one time-out.
 *
 * @param compose called for each attempt, because a one-time link is not stored
 */
export async function sendMail(
  { deadline, signal }: { deadline: Date; signal?: AbortSignal | undefined },
  compose: Compose,
): Promise<{ worked: boolean }> {
  await deleteExpiredMail();
  if (!isMailSetUp()) return { worked: false };
  let transport: Awaited<ReturnType<typeof openTransport>> | undefined;
  let worked = false;
  while (!signal?.aborted && Date.now() < deadline.getTime()) {
    const row = await claimMail();
    if (row === null) break;
    worked = true;
    transport ??= await openTransport();
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
