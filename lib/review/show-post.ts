import { showChecks } from "#lib/checks/score/show-checks.ts";
import { findSeenBefore } from "#lib/media/find-seen-before.ts";
import { getPost } from "./read-posts.ts";
import type { ShownPost } from "./shown-post-schema.ts";

/**
 * A post with its history, the results of its checks and the earlier posts with its pictures.
 *
 * @throws post_not_found
 */
export async function showPost(id: number): Promise<ShownPost> {
  const [post, checks, seen_before] = await Promise.all([getPost(id), showChecks(id), findSeenBefore(id)]);
  return { ...post, ...checks, seen_before };
}
