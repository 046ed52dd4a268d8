const DAY = 86_400_000;
/** Servers insert single old posts late, so the oldest of a longer list are left out. */
const OUTLIERS = 3;
const LONG = 10;

/**
 * Posts a day, from the posts of the newest page and the time since the oldest of them.
 *
 * @param posts in any order
 * @returns one decimal; null without posts
 */
export function estimatePerDay(
  posts: readonly { created_at: string; kept: boolean }[],
  now: Date,
): { read: number; kept: number } | null {
  const newest = posts.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  const counted = newest.slice(0, newest.length > LONG ? newest.length - OUTLIERS : undefined);
  const oldest = counted.at(-1);
  if (oldest === undefined) return null;
  // At least a minute, so that one burst does not become millions.
  const days = Math.max(60_000, now.getTime() - Date.parse(oldest.created_at)) / DAY;
  const rate = (count: number) => Math.round((count / days) * 10) / 10;
  return { read: rate(counted.length), kept: rate(counted.filter((post) => post.kept).length) };
}
