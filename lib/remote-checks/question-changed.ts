import { judgePosts } from "#lib/classify/judge-posts.ts";
import { db, type Tx } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { newestUnreviewed, queueQuestion } from "./sql.ts";

/** Posts that are judged again while the person who changed the stream waits. */
const MOST_JUDGED = 1000;

/** After a change of a stream's question: asks about its newest unreviewed posts, as many as a day allows. */
export async function askStreamAgain(tx: Tx, streamId: number): Promise<void> {
  const { AI_PROVIDER, AI_DAILY_LIMIT } = env();
  if (!AI_PROVIDER.includes("openai-compatible")) return;
  await queueQuestion(tx, await newestUnreviewed(tx, streamId, AI_DAILY_LIMIT));
}

/** After the commit of a changed question or vote: answers to the former question count no more. */
export async function judgeStream(streamId: number): Promise<void> {
  await judgePosts(await newestUnreviewed(db, streamId, MOST_JUDGED));
}
