import type { Metadata } from "next";
import { ReviewScreen } from "#components/review/review-screen.tsx";
import * as words from "#components/words/desk.ts";
import { requireRole } from "#lib/auth/current-member.ts";
import { paramsOf, readListRequest } from "#lib/desk/list.ts";
import { readPreferences } from "#lib/desk/preferences.ts";
import { listPostsOfQuery } from "#lib/posts/list-posts.ts";
import { recentDecisions } from "#lib/review/log.ts";
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
  const wanted = params.get("view");
  if (wanted === "grid" || wanted === "list") {
    const { query } = readListRequest(params, "review", wanted);
    const [list, streams] = await Promise.all([listPostsOfQuery(query), streamChoices()]);
    const first = list && { query, list };
    return <ReviewScreen view={wanted} first={first} preferences={preferences} streams={streams} />;
  }
  const [recent, streams] = await Promise.all([recentDecisions(member.id), streamChoices()]);
  return <ReviewScreen view="deck" recent={recent} preferences={preferences} streams={streams} />;
}
