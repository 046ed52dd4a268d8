import { z } from "zod";
import { recordAudit } from "#lib/accounts/record-audit.ts";
import { now, toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import { text } from "#lib/base/http/fields.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { setting } from "#lib/base/setting.ts";
import { adviseAgain } from "#lib/checks/results/advise-again.ts";
import { foldWord } from "./words.ts";

const ClassifyWord = z.object({ id: z.int(), word: z.string(), created_at: z.string() });
export type ClassifyWord = z.output<typeof ClassifyWord>;

/** A word or phrase. */
export const ClassifyWordCreate = z.object({ word: text(100, 1) });
export type ClassifyWordCreate = z.output<typeof ClassifyWordCreate>;

/** The word list. The id of a removed word is not used again. */
export const wordList = setting(
  "words",
  z.object({ last_id: z.int().default(0), words: ClassifyWord.array().default([]) }),
);

export async function listWords(): Promise<ClassifyWord[]> {
  return (await wordList.read()).words;
}

/**
 * Adds a word, and has unreviewed posts checked again.
 *
 * @throws ApiError 422 without a letter or digit; 409 `classify_word_exists`
 */
export async function addWord(actor: Actor, create: ClassifyWordCreate): Promise<ClassifyWord> {
  const folded = foldWord(create.word);
  if (folded === "") throw validationError([{ path: "word", message: "must have a letter or a digit" }]);
  const added = await db.$transaction(async (tx) => {
    const { last_id, words } = await wordList.lock(tx);
    if (words.some(({ word }) => foldWord(word) === folded)) throw new ApiError("classify_word_exists");
    const word = { id: last_id + 1, word: create.word.trim(), created_at: toIso(now()) };
    await wordList.set({ last_id: word.id, words: [...words, word] }, tx);
    await recordAudit(tx, actor, { action: "classify_word.create", subject: word.word });
    return word;
  });
  await adviseAgain();
  return added;
}

/** @throws ApiError `classify_word_not_found` */
export async function removeWord(actor: Actor, id: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const { words } = await wordList.lock(tx);
    const removed = words.find((each) => each.id === id);
    if (removed === undefined) throw new ApiError("classify_word_not_found");
    await wordList.set({ words: words.filter((each) => each !== removed) }, tx);
    await recordAudit(tx, actor, { action: "classify_word.delete", subject: removed.word });
  });
  await adviseAgain();
}
