import type { Metadata } from "next";
import { ReviewScreen } from "#components/review/review-screen.tsx";
import * as words from "#components/words/desk.ts";
import { requireRole } from "#lib/auth/current-member.ts";
import { paramsOf, readListRequest } from "#lib/desk/list.ts";
import { readPreferences } from "#lib/desk/preferences.ts";
import { readSavedFilters } from "#lib/desk/saved-filters.ts";
import { listPostsOfQuery } from "#lib/posts/list-posts.ts";
import { countDecidedToday, recentDecisions } from "#lib/review/log.ts";
import { streamChoices } from "#lib/streams/read-streams.ts";

export const metadata: Metadata = { title: words.review.title };

export default async function ReviewPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const member = await requireRole("reviewer");
  const params = paramsOf(await searchParams);
  const preferences = readPreferences(member.preferences);
  if (params.get("view") === "grid") {
    const { query } = readListRequest(params, "review", "grid");
    const [list, streams] = await Promise.all([listPostsOfQuery(query), streamChoices()]);
    const first = list && { query, list };
    return <ReviewScreen view="grid" first={first} preferences={preferences} streams={streams} />;
  }
  const [recent, streams, decidedToday] = await Promise.all([
    recentDecisions(member.id),
    streamChoices(),
    countDecidedToday(member.id),
  ]);
  const savedFilters = readSavedFilters(member.preferences);
  return <ReviewScreen view="deck" {...{ recent, preferences, streams, savedFilters, decidedToday }} />;
}
