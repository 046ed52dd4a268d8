import type { Metadata } from "next";
import { ReviewScreen } from "#components/review/review-screen.tsx";
import { requireRole } from "#lib/accounts/current-member.ts";
import { paramsOf, readListRequest } from "#lib/client/desk/list.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import { readSavedFilters } from "#lib/client/desk/saved-filters.ts";
import { streamChoices } from "#lib/collect/streams.ts";
import { listPostsOfQuery } from "#lib/review/list-posts.ts";
import { countDecidedToday, recentDecisions } from "#lib/review/log.ts";

export const metadata: Metadata = { title: "Review" };

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
