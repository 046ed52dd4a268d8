import { db } from "#lib/db.ts";
import type { Profile } from "./schema.ts";
import { serializeProfile } from "./serialize.ts";

/** A member's own view of themselves. */
export async function getProfile(memberId: number): Promise<Profile> {
  const row = await db.member.findUniqueOrThrow({
    where: { id: memberId },
    select: {
      id: true,
      email: true,
      name: true,
      role: true,
      password_hash: true,
      linked_accounts: true,
      preferences: true,
    },
  });
  return serializeProfile(row);
}
