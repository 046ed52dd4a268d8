import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";

/**
 * Removes a word.
 *
 * @throws ApiError `classify_word_not_found`
 */
export async function removeWord(actor: Actor, id: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const word = await tx.classify_word.findUnique({ where: { id } });
    const { count } = await tx.classify_word.deleteMany({ where: { id } });
    if (word === null || count === 0) throw new ApiError("classify_word_not_found");
    await recordAudit(tx, actor, {
      action: "classify_word.delete",
      subject: word.word,
      before: { stream_id: word.stream_id },
    });
  });
}
