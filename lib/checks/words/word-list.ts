import type { ActionKind, Outlook, StoredAction, UndoLimits } from "#lib/actions/action-kind.ts";
import { recordAction } from "#lib/actions/record-action.ts";
import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { toIso } from "#lib/clock.ts";
import { db, Prisma, type Tx } from "#lib/db.ts";
import { ApiError, validationError } from "#lib/errors.ts";
import { foldWord } from "./words.ts";
import { checkAgain, countWaiting, type FoldedWord } from "./waiting-posts.ts";
import type { ClassifyWord, ClassifyWordCreate, WordEffect } from "./schema.ts";
import type { classify_word } from "#prisma/generated/client.ts";

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
      await record(tx, actor, "create", row);
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
    await record(tx, actor, "delete", word);
    await checkAgain(tx, word);
  });
}

/** `before` of an action. */
interface WordBefore {
  change: "create" | "delete";
  word: Omit<classify_word, "created_at"> & { created_at: string };
}

async function record(tx: Tx, actor: Actor, change: WordBefore["change"], row: classify_word): Promise<void> {
  await recordAction(tx, actor, {
    kind: "classify_word",
    changed: 1,
    details: { change, name: row.word },
    before: { change, word: { ...row, created_at: toIso(row.created_at) } },
  });
}

const beforeOf = ({ before }: StoredAction) => before as WordBefore;

/** Removes an added word, or puts a removed one back, unless it is listed again or its stream is gone. */
export const wordKind: ActionKind = {
  scope: "manage",
  outlook: async (actions) => {
    const [words, streams] = await Promise.all([
      db.classify_word.findMany(),
      db.stream.findMany({ select: { id: true } }),
    ]);
    const ids = new Set(streams.map(({ id }) => id));
    return new Map(actions.map((action) => [action.id, outlookOf(action, words, ids)]));
  },
  undo: async (tx, actor, action) => {
    const { change, word } = beforeOf(action);
    const limits = await (change === "create" ? takeBack(tx, word) : putBack(tx, word));
    if (limits !== null) return { restored: 0, limits };
    await checkAgain(tx, word);
    await recordAudit(tx, actor, {
      action: `classify_word.${change === "create" ? "delete" : "create"}`,
      subject: word.word,
      [change === "create" ? "before" : "after"]: { stream_id: word.stream_id },
    });
    return { restored: 1, limits: {} };
  },
};

function outlookOf(
  action: StoredAction,
  words: readonly classify_word[],
  streams: ReadonlySet<number>,
): Outlook {
  const { change, word } = beforeOf(action);
  const { id, stream_id, word_folded } = word;
  if (change === "create") {
    return words.some((each) => each.id === id) ? restorable : { restorable: 0, limits: gone };
  }
  if (stream_id !== null && !streams.has(stream_id)) return { restorable: 0, limits: gone };
  const isListed = words.some((each) => each.stream_id === stream_id && each.word_folded === word_folded);
  return isListed ? { restorable: 0, limits: listedAgain } : restorable;
}

const restorable: Outlook = { restorable: 1, limits: {} };
const gone: UndoLimits = { deleted: 1 };
const listedAgain: UndoLimits = { changed_again: 1 };

/** @returns null when it was removed */
async function takeBack(tx: Tx, { id }: WordBefore["word"]): Promise<UndoLimits | null> {
  const { count } = await tx.classify_word.deleteMany({ where: { id } });
  return count === 1 ? null : gone;
}

/** @returns null when it was put back */
async function putBack(tx: Tx, word: WordBefore["word"]): Promise<UndoLimits | null> {
  if (word.stream_id !== null) {
    const streams = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM stream WHERE id = ${word.stream_id} FOR KEY SHARE`;
    if (streams.length === 0) return gone;
  }
  const { count } = await tx.classify_word.createMany({ data: [word], skipDuplicates: true });
  return count === 1 ? null : listedAgain;
}

function serialise(row: Omit<ClassifyWord, "created_at"> & { created_at: Date }): ClassifyWord {
  return { id: row.id, word: row.word, stream_id: row.stream_id, created_at: toIso(row.created_at) };
}
