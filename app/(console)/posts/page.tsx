import type { Metadata } from "next";
import { PostBrowser } from "#components/browse/post-browser.tsx";
import { memberNames } from "#lib/accounts/accounts.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { paramsOf, readListRequest } from "#lib/client/desk/list.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import { streamChoices } from "#lib/collect/streams.ts";
import { listPostsOfQuery } from "#lib/review/list-posts.ts";

export const metadata: Metadata = { title: "Posts" };

export default async function PostsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const member = await requireMember();
  const params = paramsOf(await searchParams);
  const view = params.get("view") === "grid" ? "grid" : "list";
  const { query } = readListRequest(params, "posts", view);
  const [list, streams, members] = await Promise.all([
    listPostsOfQuery(query),
    streamChoices(),
    memberNames(),
  ]);
  return (
    <PostBrowser
      place="posts"
      view={view}
      first={list && { query, list }}
      preferences={readPreferences(member.preferences)}
      streams={streams}
      members={members}
    />
  );
}
