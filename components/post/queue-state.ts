import type { PillState } from "#components/ui/badge.tsx";
import type { Post } from "#lib/review/post-schema.ts";

type Queued = Pick<Post, "queue_status" | "held_by" | "reservation_expired_at">;

/** State in the queue, null outside it. A post with an expired reservation counts as pending. */
export function queueState(post: Queued): PillState | null {
  const state = post.reservation_expired_at === null ? post.queue_status : "pending";
  return state === "pending" && post.held_by !== null ? "held" : state;
}
