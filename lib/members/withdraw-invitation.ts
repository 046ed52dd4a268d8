import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { deleteInvitation } from "./sql.ts";

/** Ends an open invitation. @throws ApiError `invitation_not_found`, also when it was accepted already */
export async function withdrawInvitation(actor: Actor, id: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const email = await deleteInvitation(tx, id);
    if (email === null) throw new ApiError("invitation_not_found");
    await recordAudit(tx, actor, { action: "member.uninvite", subject: email });
  });
}
