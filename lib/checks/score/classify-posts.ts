import { db } from "#lib/base/db.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { queueRemote } from "#lib/checks/remote/sql.ts";
import { outdatedIds } from "#lib/checks/results/advise-again.ts";
import { postTexts } from "#lib/checks/results/post-text.ts";
import { judgeStored } from "#lib/checks/verdict/sql.ts";
import type { BatchScore } from "./schema.ts";
import { readScoreFacts, scoreTexts, type ScoreFacts } from "./score-texts.ts";
import { lockSameText, scoreCopiesAgain, writeTextChecks } from "./sql.ts";

const BATCH = 200;

/**
 * Classifies posts without advice, oldest first, then unreviewed posts with outdated advice.
 *
 * @param options.deadline checked between batches
 * @returns `more`: whether more posts may be due
 */
export async function classifyDue(options: {
  limit: number;
  deadline: Date;
}): Promise<{ scored: number; more: boolean }> {
  let scored = 0;
  while (scored < options.limit && Date.now() < options.deadline.getTime()) {
    const limit = Math.min(BATCH, options.limit - scored);
    const fresh = await db.$queryRaw<{ id: number }[]>`
      SELECT id FROM post WHERE classified_at IS NULL ORDER BY classified_at NULLS FIRST, id LIMIT ${limit}`;
    const ids = fresh.length > 0 ? fresh.map(({ id }) => id) : await outdatedIds(limit);
    if (ids.length === 0) return { scored, more: false };
    const done = await scorePosts(ids);
    scored += done.length;
    // All were deleted or edited in the meantime. Another round could loop for ever.
    if (done.length === 0) return { scored, more: true };
  }
  return { scored, more: true };
}

/**
 * Runs the text stage. Results of picture and remote checks stay until these run again.
 *
 * @param postIds at most 500; duplicates count once
 */
export async function batchScore(postIds: readonly number[]): Promise<BatchScore> {
  const unique = [...new Set(postIds)];
  const possible = unique.filter((id) => id >= 1 && id <= MAX_ID);
  const rows = await db.post.findMany({ where: { id: { in: possible } }, select: { id: true } });
  const known = rows.map(({ id }) => id);
  const scored = await scorePosts(known, { again: true });
  const found = new Set(known);
  return {
    scored: scored.length,
    queued: await db.post_check.count({
      where: { post_id: { in: known }, OR: [{ picture_state: "waiting" }, { remote_state: "waiting" }] },
    }),
    not_found: unique.filter((id) => !found.has(id)),
  };
}

/**
 * Runs the text stage of stored posts and writes its results and the verdict. Pictures that were not checked become due.
 *
 * @param postIds unknown ids are ignored
 * @param options.again repeats failed checks of pictures and of the chat model
 * @returns ids of the classified posts
 */
export async function scorePosts(
  postIds: readonly number[],
  options: { again?: boolean } = {},
): Promise<number[]> {
  const facts = await readScoreFacts();
  const scored: number[] = [];
  for (let from = 0; from < postIds.length; from += BATCH) {
    scored.push(...(await scoreBatch(postIds.slice(from, from + BATCH), facts, options)));
  }
  return scored;
}

async function scoreBatch(
  ids: readonly number[],
  { at, ...facts }: ScoreFacts,
  { again = false }: { again?: boolean },
): Promise<number[]> {
  const posts = await postTexts(ids);
  const { scores, copies } = await scoreTexts(posts, { at, ...facts });
  const written = await inTransaction(async (tx) => {
    const locked = await lockSameText(tx, posts);
    const rows = posts.flatMap(({ id }, i) => {
      const score = scores[i];
      return score === undefined || !locked.has(id) ? [] : [{ ...score, id, classified_at: at }];
    });
    const done = rows.map(({ id }) => id);
    await writeTextChecks(tx, rows, again);
    await queueRemote(tx, done, again);
    await judgeStored(tx, done, facts.settings, new Map(rows.map((row) => [row.id, row])));
    return done;
  });
  // Only if the text is new to this post; otherwise two copies would have each other scored for ever.
  if (posts.some(({ text_fingerprint }, i) => text_fingerprint?.toString() !== scores[i]?.text_fingerprint))
    await scoreCopiesAgain(copies);
  return written;
}
