import { db } from "#lib/db.ts";

/** Whether there is any account: the sign-in page points to the setup link until then. */
export async function hasMembers(): Promise<boolean> {
  return (await db.member.findFirst({ select: { id: true } })) !== null;
}
