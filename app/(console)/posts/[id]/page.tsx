import type { Metadata } from "next";
import { cache } from "react";
import { PostPage } from "#components/post/post-page.tsx";
import { reaches } from "#components/shell/roles.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { showChecks } from "#lib/checks/score/show-checks.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import { findSeenBefore } from "#lib/media/find-seen-before.ts";
import { getPostFile } from "#lib/review/deck.ts";
import { orNotFound, parseId } from "../../or-not-found.ts";

interface Props {
  params: Promise<{ id: string }>;
}

/** Read once for metadata and page. */
const postOf = cache(async (raw: string) => orNotFound(getPostFile(parseId(raw))));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  await requireMember();
  return { title: `Post by ${(await postOf((await params).id)).author_account}` };
}

export default async function Page({ params }: Props) {
  const member = await requireMember();
  const post = await postOf((await params).id);
  const [checks, seen] = await Promise.all([showChecks(post.id), findSeenBefore(post.id)]);
  return (
    <PostPage
      post={post}
      checks={checks}
      seen={seen}
      cover={readPreferences(member.preferences).cover}
      mayReview={reaches(member.role, "reviewer")}
    />
  );
}
