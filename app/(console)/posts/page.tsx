import type { Metadata } from "next";
import { PostBrowser } from "#components/browse/post-browser.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { paramsOf, readListRequest } from "#lib/desk/list.ts";
import { readPreferences } from "#lib/desk/preferences.ts";
import { memberNames } from "#lib/members/accounts.ts";
import { listPostsOfQuery } from "#lib/posts/list-posts.ts";
import { streamChoices } from "#lib/streams/read-streams.ts";

export const metadata: Metadata = { title: words.reviewTools.postsTitle };

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
