import type { NormaliseResult } from "#lib/fediverse/normalised-post.ts";

/** Whether a page shows the post with this id. */
export function hasId(posts: readonly NormaliseResult[], id: string | null): boolean {
  return id !== null && posts.some((entry) => entry.ok && entry.post.remote_id === id);
}

/** Id of the last entry that has one. */
export function lastId(entries: readonly NormaliseResult[]): string | null {
  const last = entries.findLast((entry) => entry.ok);
  return last?.ok === true ? last.post.remote_id : null;
}

/**
 * Whether a page, newest first, ends before a time. Its last three posts must all be older: a single old post
 * that a server has just come by must not end a walk.
 */
export function liesBefore(posts: readonly NormaliseResult[], time: string | null): boolean {
  const last = posts.flatMap((entry) => (entry.ok ? entry.post.created_at : [])).slice(-3);
  return time !== null && last.length > 0 && last.every((created) => created < time);
}
