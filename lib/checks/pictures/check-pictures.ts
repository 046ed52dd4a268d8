import { log } from "#lib/base/log.ts";
import type { Judge } from "#lib/checks/results/opinion.ts";
import { engineUse } from "./engine-state.ts";
import { lookAtPost } from "./look-at-post.ts";
import {
  claimPosts,
  isAnyDue,
  markJudged,
  storeResult,
  unjudgedIds,
  wakeWaiting,
  type ClaimedPost,
} from "./sql.ts";

const BATCH = 8;
/** Posts at a time, most of which wait for downloads. */
const MAX_POSTS = 16;
const MAX_UNJUDGED = 500;
/** Less is not enough for a slow download. */
const MIN_TIME_LEFT_MS = 15_000;

export function arePicturesDue(): Promise<boolean> {
  return isAnyDue();
}

let isAwake = false;

/** Checks pictures that are due. Posts of a process that ends are due again when their lease ends. */
export async function checkPictures(
  { deadline, signal }: { deadline: Date; signal?: AbortSignal | undefined },
  judge: Judge,
): Promise<{ worked: boolean }> {
  const classify = engineUse().state === "ready";
  if (classify && !isAwake) {
    await wakeWaiting();
    isAwake = true;
  }
  const unjudged = await unjudgedIds(MAX_UNJUDGED);
  await judgeStored(unjudged, judge);
  const hasTime = () => signal?.aborted !== true && deadline.getTime() - Date.now() > MIN_TIME_LEFT_MS;
  const running = new Set<Promise<void>>();
  let checked = 0;
  let claimed: ClaimedPost[];
  do {
    claimed = hasTime() ? await claimPosts(BATCH) : [];
    checked += claimed.length;
    for (const post of claimed) {
      const task = checkPost(post, classify, judge).finally(() => running.delete(task));
      running.add(task);
    }
    // A slow host holds up its own posts only.
    const maxPosts = claimed.length > 0 ? MAX_POSTS - BATCH : Math.max(0, running.size - 1);
    while (running.size > maxPosts) await Promise.race(running);
  } while (claimed.length > 0 || running.size > 0);
  return { worked: checked + unjudged.length > 0 };
}

/** Never throws: the post is due again when its lease ends. */
async function checkPost(post: ClaimedPost, classify: boolean, judge: Judge): Promise<void> {
  try {
    const isStored = await storeResult(post, await lookAtPost(post, classify));
    if (isStored) await judgeStored([post.post_id], judge);
  } catch (error) {
    log.warn({ err: error, post_id: post.post_id }, "pictures not checked");
  }
}

async function judgeStored(postIds: readonly number[], judge: Judge): Promise<void> {
  if (postIds.length === 0) return;
  await judge(postIds);
  await markJudged(postIds);
}
