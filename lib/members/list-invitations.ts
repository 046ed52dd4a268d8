import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import type { Role } from "#lib/auth/permissions.ts";

/** Invitations that can still be accepted, oldest first. */
export async function listInvitations() {
  const rows = await db.invitation.findMany({
    where: { kind: "invite", used_at: null, expires_at: { gt: new Date() } },
    select: {
      id: true,
      email: true,
      role: true,
      created_at: true,
      expires_at: true,
      creator: { select: { name: true } },
    },
    orderBy: { id: "asc" },
  });
  const items = rows.map((row) => ({
    id: row.id,
    email: row.email ?? "",
    role: row.role as Role,
    created_by: row.creator?.name ?? null,
    created_at: toIso(row.created_at),
    expires_at: toIso(row.expires_at),
  }));
  return { items, total: items.length };
}
