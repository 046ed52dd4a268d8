import type { Metadata } from "next";
import { TopicalBoard } from "#components/topical/topical-board.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { env } from "#lib/env.ts";
import { listTopicalTags } from "#lib/topical/topical-tags.ts";
import { upcomingDays } from "#lib/topical/upcoming-days.ts";

export const metadata: Metadata = { title: words.topical.title };

export default async function TopicalPage() {
  await requireMember();
  const [tags, days] = await Promise.all([listTopicalTags(), upcomingDays()]);
  return <TopicalBoard tags={tags} days={days} timeZone={env().TIME_ZONE} />;
}
