import { LazyGrid } from "#components/browse/lazy-grid.tsx";
import { Deck } from "#components/review/deck.tsx";
import { requireRole } from "#lib/accounts/current-member.ts";
import { paramsOf, readListRequest } from "#lib/client/desk/list.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import { listPostsOfQuery } from "#lib/review/list-posts.ts";
import { countDecidedToday, recentDecisions } from "#lib/review/log.ts";
import { filterChoices } from "../posts/filter-choices.ts";
import { titleWithCount } from "../to-review.ts";

export const generateMetadata = () => titleWithCount("Review");

export default async function ReviewPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const member = await requireRole("reviewer");
  const params = paramsOf(await searchParams);
  const preferences = readPreferences(member.preferences);
  const { members: _members, ...choices } = await filterChoices(member);
  if (params.get("view") === "grid") {
    const request = readListRequest(params, "review");
    const found = await listPostsOfQuery(request.query);
    return (
      <LazyGrid
        search={params.toString()}
        request={request}
        found={found}
        choices={choices}
        preferences={preferences}
      />
    );
  }
  const [recent, decidedToday] = await Promise.all([
    recentDecisions(member.id),
    countDecidedToday(member.id),
  ]);
  return <Deck recent={recent} preferences={preferences} choices={choices} decidedToday={decidedToday} />;
}
