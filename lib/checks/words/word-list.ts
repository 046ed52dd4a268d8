import { recordAudit } from "#lib/accounts/record-audit.ts";
import { toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import type { classify_word } from "#prisma/generated/client.ts";
import { foldWord } from "./words.ts";
import { checkAgain, countWaiting } from "./waiting-posts.ts";
import type { ClassifyWord, ClassifyWordCreate, WordEffect } from "./schema.ts";

export async function listWords(): Promise<ClassifyWord[]> {
  return (await db.classify_word.findMany({ orderBy: { id: "asc" } })).map(serialise);
}

/** @throws ApiError 422 without a letter or digit */
function folded({ word }: ClassifyWordCreate): string {
  const text = foldWord(word);
  if (text === "") throw validationError([{ path: "word", message: "must have a letter or a digit" }]);
  return text;
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
 * @throws ApiError 422 without a letter or digit; 409 `classify_word_exists`
 */
export async function addWord(actor: Actor, create: ClassifyWordCreate): Promise<ClassifyWord> {
  const word_folded = folded(create);
  return db.$transaction(async (tx) => {
    const [row] = await tx.classify_word.createManyAndReturn({
      data: [{ word: create.word.trim(), word_folded }],
      skipDuplicates: true,
    });
    if (row === undefined) throw new ApiError("classify_word_exists");
    await recordAudit(tx, actor, { action: "classify_word.create", subject: row.word });
    await checkAgain(tx, row.word_folded);
    return serialise(row);
  });
}

/** @throws ApiError `classify_word_not_found` */
export async function removeWord(actor: Actor, id: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const word = await tx.classify_word.findUnique({ where: { id } });
    const { count } = await tx.classify_word.deleteMany({ where: { id } });
    if (word === null || count === 0) throw new ApiError("classify_word_not_found");
    await recordAudit(tx, actor, { action: "classify_word.delete", subject: word.word });
    await checkAgain(tx, word.word_folded);
  });
}

function serialise({ id, word, created_at }: classify_word): ClassifyWord {
  return { id, word, created_at: toIso(created_at) };
}
