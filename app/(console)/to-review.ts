import type { Metadata } from "next";
import { cache } from "react";
import { formatCount } from "#components/format.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getStats } from "#lib/stats/get-stats.ts";

/** Once a page, for its figures and the navigation. */
export const readStats = cache(getStats);

/** Zero for viewers, who decide nothing. A page does without the number when it cannot be counted. */
export async function countForReviewer(): Promise<number> {
  const { role } = await requireMember();
  if (role === "viewer") return 0;
  return readStats().then(
    (stats) => stats.unreviewed_posts,
    () => 0,
  );
}

/** For pages that render themselves again, because their tab is looked at from others. */
export async function titleWithCount(title: string): Promise<Metadata> {
  const count = await countForReviewer();
  return { title: count > 0 ? `(${formatCount(count)}) ${title}` : title };
}
