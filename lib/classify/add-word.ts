import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { toIso } from "#lib/clock.ts";
import { db, Prisma } from "#lib/db.ts";
import { ApiError, validationError } from "#lib/errors.ts";
import { foldWord } from "./words.ts";
import type { ClassifyWord, ClassifyWordCreate } from "./schema.ts";

/**
 * Adds a word or phrase that makes the rules vote to reject.
 *
 * @throws ApiError 422 without a letter or for an unknown stream, 409 `classify_word_exists`
 */
export async function addWord(actor: Actor, { word, stream_id }: ClassifyWordCreate): Promise<ClassifyWord> {
  const word_folded = foldWord(word);
  if (word_folded === "") throw validationError([{ path: "word", message: "must have a letter or a digit" }]);
  const streamId = stream_id ?? null;
  try {
    return await db.$transaction(async (tx) => {
      // ON CONFLICT, so that two parallel calls cannot both insert.
      const rows = await tx.classify_word.createManyAndReturn({
        data: [{ word: word.trim(), word_folded, stream_id: streamId }],
        skipDuplicates: true,
      });
      const row = rows[0];
      if (row === undefined) throw new ApiError("classify_word_exists");
      await recordAudit(tx, actor, {
        action: "classify_word.create",
        subject: row.word,
        after: { stream_id: streamId },
      });
      return { id: row.id, word: row.word, stream_id: row.stream_id, created_at: toIso(row.created_at) };
    });
  } catch (error) {
    // Reported by the foreign key, which leaves no gap between check and insert.
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2003") {
      throw validationError([{ path: "stream_id", message: "is not the id of a stream" }]);
    }
    throw error;
  }
}
