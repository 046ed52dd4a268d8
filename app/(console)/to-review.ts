import type { Metadata } from "next";
import { cache } from "react";
import { formatCount } from "#components/format.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { countToReview } from "#lib/review/deck.ts";

/** Posts that wait for a decision, counted as on the desk: once a page, for its figures and the navigation. */
export const readUnreviewed = cache(async (memberId: number) => {
  const left = await countToReview(
    { kind: "member", member_id: memberId, key_id: null },
    { order: "oldest" },
  );
  return left.remaining + left.leased_to_others;
});

/** Zero for viewers, who decide nothing. A page does without the number when it cannot be counted. */
export async function countForReviewer(): Promise<number> {
  const { id, role } = await requireMember();
  return role === "viewer" ? 0 : readUnreviewed(id).catch(() => 0);
}

/** For pages that render themselves again, because their tab is looked at from others. */
export async function titleWithCount(title: string): Promise<Metadata> {
  const count = await countForReviewer();
  return { title: count > 0 ? `(${formatCount(count)}) ${title}` : title };
}
