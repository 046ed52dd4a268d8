import type { Metadata } from "next";
import { cache } from "react";
import { formatCount } from "#components/format.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getStats } from "#lib/stats/get-stats.ts";

/** Read once per page, for its figures and the navigation. */
export const readStats = cache(getStats);

/** Number of posts to review. Zero for viewers, who do not review, and if counting fails. */
export async function countForReviewer(): Promise<number> {
  const { role } = await requireMember();
  if (role === "viewer") return 0;
  return readStats().then(
    (stats) => stats.unreviewed_posts,
    () => 0,
  );
}

/** A title with the number of posts to review, visible from other tabs of the browser. */
export async function titleWithCount(title: string): Promise<Metadata> {
  const count = await countForReviewer();
  return { title: count > 0 ? `(${formatCount(count)}) ${title}` : title };
}
