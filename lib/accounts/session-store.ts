import { db, type Tx } from "#lib/base/db.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import { log } from "#lib/base/log.ts";
import { clientInfoOf, type HeaderReader, type ClientInfo } from "./client-info.ts";

/** Limit for one member. A further sign-in ends the session that was unused for longest. */
const MAX_SESSIONS = 100;
const FIVE_MINUTES_MS = 300_000;

export type SessionRow = {
  id: number;
  email: string;
  name: string;
  role: Role;
  preferences: Record<string, unknown>;
  stale_use: boolean;
};

/** The member of a session, unless it has ended or the member is disabled. */
export async function sessionRow(sessionId: string, memberId: number): Promise<SessionRow | null> {
  const rows = await db.$queryRaw<SessionRow[]>`
    SELECT m.id, m.email, m.name, m.role, m.preferences, s.last_used_at < now() - interval '5 minutes' AS stale_use
      FROM session s JOIN member m ON m.id = s.member_id
     WHERE s.id = ${sessionId}::uuid AND m.id = ${memberId} AND m.disabled_at IS NULL`;
  return rows[0] ?? null;
}

/** The caller has locked the member. */
export async function insertSession(tx: Tx, memberId: number, client: ClientInfo): Promise<string> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO session (member_id, browser, address_prefix)
    VALUES (${memberId}, ${client.browser}, ${client.address_prefix}) RETURNING id::text`;
  await tx.$executeRaw`
    DELETE FROM session WHERE id IN (
      SELECT id FROM session WHERE member_id = ${memberId}
       ORDER BY last_used_at DESC, id OFFSET ${MAX_SESSIONS}::int)`;
  return (rows[0] as { id: string }).id;
}

/** Sessions whose tokens may still be valid, last used first. */
export function sessionsOf(memberId: number) {
  return db.session.findMany({
    where: { member_id: memberId, last_used_at: { gt: new Date(Date.now() - 30 * 86_400_000) } },
    orderBy: [{ last_used_at: "desc" }, { id: "asc" }],
  });
}

/** Returns the number of sessions ended, 0 or 1. */
export async function deleteSession(tx: Tx, id: string, memberId: number): Promise<number> {
  return tx.$executeRaw`DELETE FROM session WHERE id::text = ${id} AND member_id = ${memberId}`;
}

const noted = new Map<string, number>();

/** Not awaited, so that it does not slow the request; at most once in five minutes for each process. */
export function noteSessionUse(sessionId: string, headers: HeaderReader): void {
  const now = Date.now();
  if (now - (noted.get(sessionId) ?? 0) < FIVE_MINUTES_MS) return;
  for (const [id, at] of noted) if (now - at >= FIVE_MINUTES_MS) noted.delete(id);
  noted.set(sessionId, now);
  const { browser, address_prefix: prefix } = clientInfoOf(headers);
  db.$executeRaw`
    UPDATE session SET last_used_at = now(), browser = ${browser}, address_prefix = ${prefix}
     WHERE id = ${sessionId}::uuid AND last_used_at < now() - interval '5 minutes'`.catch((error: unknown) =>
    log.warn({ err: error }, "last use of session not stored"),
  );
}
