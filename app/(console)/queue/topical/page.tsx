import type { Metadata } from "next";
import { TopicalBoard } from "#components/topical/topical-board.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { env } from "#lib/base/env.ts";
import { listTopicalTags } from "#lib/queue/topical-tags.ts";
import { upcomingDays } from "#lib/queue/upcoming-days.ts";

export const metadata: Metadata = { title: "Topical" };

export default async function TopicalPage() {
  await requireMember();
  const [tags, days] = await Promise.all([listTopicalTags(), upcomingDays()]);
  return <TopicalBoard tags={tags} days={days} timeZone={env().TIME_ZONE} />;
}
