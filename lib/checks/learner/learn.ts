import { z } from "zod";
import { db, type Tx } from "#lib/base/db.ts";
import { setting } from "#lib/base/setting.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { adviseAgain } from "#lib/checks/results/advise-again.ts";
import { postTexts } from "#lib/checks/results/post-text.ts";
import { readPost } from "#lib/checks/rules/read-text.ts";
import { ALL, type ReviewCount } from "./counts.ts";
import { featureId, featureNames } from "./features.ts";
import { chooseThreshold, nextEvents, readCounts, unlearnChanged, writeLearnt } from "./sql.ts";

export { pruneLearnt } from "./sql.ts";

/** Approvals and rejections that the learner needs before it votes. */
export const MIN_OF_EACH = 30;
/** New or forgotten decisions after which the threshold is chosen again, and their share of all. */
const MIN_NEW = 10;
const MIN_GROWTH = 0.1;

export const learner = setting(
  "learner",
  z.object({
    /** Events up to this one are learnt. */
    cursor: z.int().default(0),
    /** When the threshold was chosen. */
    learnt: z.int().default(0),
    threshold: z.number().nullable().default(null),
  }),
);

/** Decisions that the learner learnt from. */
export async function learntReviews(): Promise<ReviewCount> {
  return (await readCounts([ALL], [])).get(ALL) ?? { reviewed: 0, rejected: 0 };
}

/** Secret of the installation. Not kept in the process: after a restore it may be another one. */
export async function readFeatureKey(): Promise<string> {
  const { feature_secret } = await db.installation.findFirstOrThrow({ select: { feature_secret: true } });
  return Buffer.from(feature_secret).toString("hex");
}

/**
 * Compares what was learnt of posts with what they say now, and learns the difference: decisions, changed and undone ones,
 * reasons. Doing it twice changes nothing.
 */
export async function learn(limits: { deadline: Date; signal?: AbortSignal | undefined }): Promise<void> {
  const key = await readFeatureKey();
  let after: number | null = (await learner.read()).cursor;
  while (after !== null && limits.signal?.aborted !== true && Date.now() < limits.deadline.getTime()) {
    const from: number = after;
    after = await inTransaction(async (tx) => {
      const { last, settled, ids } = await nextEvents(tx, from);
      await learnPosts(tx, ids, key);
      if (settled !== null) await learner.set({ cursor: settled }, tx);
      return last;
    });
  }
  await chooseThresholdWhenDue();
}

async function learnPosts(tx: Tx, ids: readonly number[], key: string): Promise<void> {
  const changed = (await unlearnChanged(tx, ids)).filter(({ decided }) => decided);
  const posts = changed.map(({ id }) => id);
  const texts = new Map((await postTexts(posts, tx)).map((post) => [post.id, post]));
  const rows = changed.map(({ id, teaches, rules }) => {
    const post = teaches ? texts.get(id) : undefined;
    const names = post === undefined ? [] : featureNames(post, readPost(post), rules);
    return { id, features: teaches ? [ALL, ...names.map((name) => featureId(name, key))] : [] };
  });
  await writeLearnt(tx, rows);
}

/** Has waiting posts scored again, too; sooner while few decisions are known. */
async function chooseThresholdWhenDue(): Promise<void> {
  const { learnt } = await learner.read();
  const { reviewed, rejected } = await learntReviews();
  if (Math.abs(reviewed - learnt) < MIN_NEW + MIN_GROWTH * learnt) return;
  const isEnough = Math.min(rejected, reviewed - rejected) >= MIN_OF_EACH;
  await learner.set({ learnt: reviewed, threshold: isEnough ? await chooseThreshold() : null });
  await adviseAgain();
}
