import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { mapInSlices } from "#lib/base/event-loop.ts";
import { hasWords } from "#lib/base/has-words.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";
import { phrasesIn, wordsOfPost } from "./words.ts";
import type { WordEffect } from "./schema.ts";

/** A count reads at most these posts. */
const MAX_POSTS = 20_000;
const BATCH = 1000;
const ABOVE_ALL = MAX_ID + 1;

interface PostText {
  id: number;
  spoiler_text: string | null;
  plain_text: string;
  hashtags: string[];
}

/** SQL of unreviewed posts `p` that the search finds by the word: those that have it, and a few more. */
function foundBy(folded: string): Prisma.Sql {
  return Prisma.sql`post p WHERE p.approved IS NULL AND p.erased_at IS NULL AND ${hasWords(folded, "index")}`;
}

/** The job that checks new posts runs the text rules again on the unreviewed posts with the word. */
export async function checkAgain(tx: Tx, folded: string): Promise<void> {
  await tx.$executeRaw`
    WITH found AS MATERIALIZED (
      SELECT p.id FROM ${foundBy(folded)} AND p.classified_at IS NOT NULL ORDER BY p.id FOR NO KEY UPDATE OF p)
    UPDATE post SET classified_at = NULL FROM found WHERE post.id = found.id`;
}

/** Counts unreviewed posts that have the word, among the newest `MAX_POSTS` that the search finds. */
export async function countWaiting(folded: string): Promise<WordEffect> {
  const has = (row: PostText) => Number(phrasesIn(wordsOfPost(row), [folded]).length > 0);
  let [waiting, read, below] = [0, 0, ABOVE_ALL];
  let rows: PostText[];
  do {
    rows = await db.$queryRaw<PostText[]>`
      SELECT p.id, p.spoiler_text, p.plain_text, p.hashtags FROM ${foundBy(folded)} AND p.id < ${below}::bigint
       ORDER BY p.id DESC LIMIT ${BATCH}`;
    waiting += (await mapInSlices(rows, has)).reduce((sum, n) => sum + n, 0);
    read += rows.length;
    below = rows.at(-1)?.id ?? 0;
  } while (rows.length === BATCH && read < MAX_POSTS);
  return { waiting, complete: rows.length < BATCH };
}
