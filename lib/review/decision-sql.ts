import type { Principal } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";

/** Whether an edit was stored after this time. */
export async function wasEditedAfter(tx: Tx, postId: number, time: string): Promise<boolean> {
  const line = await tx.post_event.findFirst({
    where: { post_id: postId, action: "edit", at: { gt: time } },
    select: { id: true },
  });
  return line !== null;
}

/** For the agreement of reviewers: two decided, and the second was refused. */
export async function countRefused(tx: Tx, by: Principal, postId: number, approved: boolean): Promise<void> {
  await tx.$executeRaw`
    SELECT stat_refused_decision(${postId}::int, ${approved}::boolean, ${by.member_id}::int, ${by.label})`;
}
