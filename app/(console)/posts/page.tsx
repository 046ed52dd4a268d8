import type { Metadata } from "next";
import { PostsScreen } from "#components/browse/posts-screen.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { paramsOf, readListRequest } from "#lib/client/desk/list.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import { listPostsOfQuery } from "#lib/review/list-posts.ts";
import { filterChoices } from "./filter-choices.ts";

export const metadata: Metadata = { title: "Posts" };

export default async function PostsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const member = await requireMember();
  const params = paramsOf(await searchParams);
  const request = readListRequest(params, "posts");
  const [found, choices] = await Promise.all([listPostsOfQuery(request.query), filterChoices(member)]);
  return (
    <PostsScreen
      place="posts"
      preferences={readPreferences(member.preferences)}
      search={params.toString()}
      request={request}
      found={found}
      choices={choices}
    />
  );
}
