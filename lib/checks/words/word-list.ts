import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { toIso } from "#lib/clock.ts";
import { db, Prisma } from "#lib/db.ts";
import { ApiError, validationError } from "#lib/errors.ts";
import { foldWord } from "./words.ts";
import { checkAgain, countWaiting, type FoldedWord } from "./waiting-posts.ts";
import type { ClassifyWord, ClassifyWordCreate, WordEffect } from "./schema.ts";

export async function listWords(): Promise<ClassifyWord[]> {
  return (await db.classify_word.findMany({ orderBy: { id: "asc" } })).map(serialise);
}

/** @throws ApiError 422 without a letter or digit */
function folded({ word, stream_id }: ClassifyWordCreate): FoldedWord {
  const word_folded = foldWord(word);
  if (word_folded === "") throw validationError([{ path: "word", message: "must have a letter or a digit" }]);
  return { word_folded, stream_id: stream_id ?? null };
}

/**
 * The effect of `addWord` on unreviewed posts.
 *
 * @throws ApiError 422 without a letter or digit
 */
export function previewWord(create: ClassifyWordCreate): Promise<WordEffect> {
  return countWaiting(folded(create));
}

/**
 * Adds a word, and has unreviewed posts that have it checked again.
 *
 * @throws ApiError 422 without a letter or digit, or for an unknown stream; 409 `classify_word_exists`
 */
export async function addWord(actor: Actor, create: ClassifyWordCreate): Promise<ClassifyWord> {
  const { word } = create;
  const { word_folded, stream_id: streamId } = folded(create);
  try {
    return await db.$transaction(async (tx) => {
      const [row] = await tx.classify_word.createManyAndReturn({
        data: [{ word: word.trim(), word_folded, stream_id: streamId }],
        skipDuplicates: true,
      });
      if (row === undefined) throw new ApiError("classify_word_exists");
      await recordAudit(tx, actor, {
        action: "classify_word.create",
        subject: row.word,
        after: { stream_id: streamId },
      });
      await checkAgain(tx, row);
      return serialise(row);
    });
  } catch (error) {
    // Violation of the foreign key.
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2003") {
      throw validationError([{ path: "stream_id", message: "is not the id of a stream" }]);
    }
    throw error;
  }
}

/**
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
    await checkAgain(tx, word);
  });
}

function serialise(row: Omit<ClassifyWord, "created_at"> & { created_at: Date }): ClassifyWord {
  return { id: row.id, word: row.word, stream_id: row.stream_id, created_at: toIso(row.created_at) };
}
