import { z } from "zod";
import { db, type Tx } from "#lib/base/db.ts";
import { log } from "#lib/base/log.ts";
import { setting } from "#lib/base/setting.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { adviseAgain } from "#lib/checks/results/advise-again.ts";
import { roundScore } from "#lib/checks/results/opinion.ts";
import { postTexts } from "#lib/checks/results/post-text.ts";
import { readPost } from "#lib/checks/rules/read-text.ts";
import { applyPlatt, chooseThreshold, fitPlatt, MIN_OF_EACH } from "./calibrate.ts";
import { ALL, count, numbersOf, scoreOf, type ReviewCount } from "./counts.ts";
import { featureIds, featureKey, featureNames, type FeatureKey } from "./features.ts";
import {
  lockCounts,
  nameNumbers,
  newestScores,
  nextEvents,
  readCounts,
  unlearnChanged,
  writeLearnt,
  type LearntRow,
} from "./sql.ts";

export { pruneLearnt, renameLearnt } from "./sql.ts";

/** Scores that the threshold is chosen from. */
const WINDOW = 2_000;
/** New or forgotten decisions after which scores are calibrated again, and their share of all. */
const MIN_NEW = 10;
const MIN_GROWTH = 0.1;

export const learner = setting(
  "learner",
  z.object({
    /** Events up to this one are learnt. */
    cursor: z.int().default(0),
    /** At the last calibration. */
    learnt: z.int().default(0),
    a: z.number().default(1),
    b: z.number().default(0),
    threshold: z.number().nullable().default(null),
    /** There were enough decisions of both kinds. */
    ready: z.boolean().default(false),
  }),
);

/** Decisions that the learner learnt from. */
export async function learntReviews(): Promise<ReviewCount> {
  return (await readCounts([ALL])).get(ALL) ?? { reviewed: 0, rejected: 0 };
}

/** Secret of the installation. Not kept in the process: after a restore it may be another one. */
export async function readFeatureKey(): Promise<FeatureKey> {
  const { feature_secret } = await db.installation.findFirstOrThrow({ select: { feature_secret: true } });
  return featureKey(feature_secret);
}

/**
 * Compares what was learnt of posts with what they say now, and learns the difference: decisions, changed and undone ones,
 * reasons. Doing it twice changes nothing.
 */
export async function learn({
  deadline,
  signal,
}: {
  deadline: Date;
  signal?: AbortSignal | undefined;
}): Promise<{ worked: boolean }> {
  const key = await readFeatureKey();
  let after: number | null = (await learner.read()).cursor;
  let worked = false;
  while (after !== null && signal?.aborted !== true && Date.now() < deadline.getTime()) {
    const from: number = after;
    after = await inTransaction(async (tx) => {
      await lockCounts(tx);
      const { last, settled, ids } = await nextEvents(tx, from);
      if (ids.length > 0 && (await learnPosts(tx, ids, key)) > 0) worked = true;
      if (settled !== null) await learner.set({ cursor: settled }, tx);
      return last;
    });
  }
  if (worked) await calibrateWhenDue();
  return { worked };
}

/** @returns number of posts of which something else is learnt now */
async function learnPosts(tx: Tx, ids: readonly number[], key: FeatureKey): Promise<number> {
  const changed = await unlearnChanged(tx, ids);
  const decided = new Map(changed.filter((row) => row.decided).map((row) => [row.id, row]));
  const texts = await postTexts([...decided.keys()], tx);
  const names = await nameNumbers(
    texts.flatMap(({ author_key, instance }) => [author_key, instance]),
    tx,
  );
  const posts = texts.flatMap((text) => {
    const row = decided.get(text.id);
    if (row === undefined) return [];
    const [author = 0, instance = 0] = [names.get(text.author_key), names.get(text.instance)];
    const features = row.teaches ? featureNames(text, readPost(text), row.rules) : [];
    return [{ ...row, author, instance, features: featureIds(features, key) }];
  });
  const counts = await readCounts([ALL, ...posts.flatMap(numbersOf)], tx);
  const rows = posts.map((post): LearntRow => {
    const { id: post_id, author, rejected, reviewed_at, teaches, warned } = post;
    const score = teaches ? (scoreOf(post, counts) ?? 0) : null;
    const features = teaches ? [ALL, ...numbersOf(post)] : [author, post.instance];
    count(counts, features, rejected);
    return { post_id, author, rejected, reviewed_at, score, warned, features };
  });
  await writeLearnt(tx, rows);
  return changed.length;
}

/** Fits the calibration and the threshold, and has waiting posts scored again; sooner while few decisions are known. */
async function calibrateWhenDue(): Promise<void> {
  const { learnt, threshold: before } = await learner.read();
  const { reviewed, rejected } = await learntReviews();
  if (Math.abs(reviewed - learnt) < MIN_NEW + MIN_GROWTH * learnt) return;
  const pairs = await newestScores(WINDOW);
  const labels = pairs.map((pair) => pair.rejected);
  const scores = pairs.map((pair) => pair.score);
  const calibration = fitPlatt(scores, labels);
  const ready = Math.min(rejected, reviewed - rejected) >= MIN_OF_EACH;
  const calibrated = scores.map((score) => roundScore(applyPlatt(calibration, score)));
  const threshold = ready ? chooseThreshold(calibrated, labels) : null;
  await learner.set({ ...calibration, learnt: reviewed, ready, threshold });
  await adviseAgain();
  log.info({ reviewed, rejected, threshold, before }, "learner calibrated");
}
