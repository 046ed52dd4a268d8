import { db } from "#lib/db.ts";
import type { Role } from "#lib/auth/permissions.ts";
import { hashToken } from "./link-token.ts";
import { openLink, type LinkKind } from "./sql.ts";

/** What a page shows to whoever follows a link, before it is used. */
export type LinkDetails = { email: string | null; name: string | null; role: Role | null };

/** Whom an open link is for; null when it was used, has expired, never was, or there is nothing left to set up. */
export async function readLink(kind: LinkKind, token: string): Promise<LinkDetails | null> {
  const link = await openLink(kind, hashToken(token));
  if (link === null) return null;
  if (kind === "setup")
    return (await db.member.count()) > 0 ? null : { email: null, name: null, role: "admin" };
  if (kind === "invite") return { email: link.email, name: null, role: link.role };
  const member = await db.member.findUnique({
    where: { id: link.member_id ?? 0 },
    select: { email: true, name: true, disabled_at: true },
  });
  if (member === null || member.disabled_at !== null) return null;
  return { email: member.email, name: member.name, role: null };
}
