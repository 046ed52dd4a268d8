import type { Actor } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { setHoldOfAuthor } from "#lib/queue/set-hold.ts";

/** Whether a consumer's error report says that the author does not want to be boosted (consumers.md). */
export function isOptOutReport(reason: string, details: object | null): boolean {
  const type = (details as { error_type?: unknown } | null)?.error_type;
  return type === "nobot" || type === "noindex" || /opts? out of bot interaction/i.test(reason);
}

/**
 * Notes a reported opt-out and holds everything the author has in the queue, until a person or the next look at
 * the profile decides. A report after a decision opens the question again.
 */
export async function reportOptOut(
  _actor: Actor,
  report: { author_key: string; post_id: number; reason: string },
): Promise<void> {
  await db.$transaction(async (tx) => {
    const data = {
      reason: report.reason,
      post_id: report.post_id,
      reported_at: new Date(),
      resolved_at: null,
      resolution: null,
    };
    await tx.reported_opt_out.upsert({
      where: { author_key: report.author_key },
      create: { author_key: report.author_key, ...data },
      update: data,
    });
    await setHoldOfAuthor(tx, report.author_key, "opt-out reported", true);
  });
}
