import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { AuthorPage } from "#components/author/author-page.tsx";
import { reaches } from "#components/shell/roles.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { ApiError } from "#lib/base/errors.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import { getAuthor } from "#lib/review/authors.ts";
import { PostQuery } from "#lib/review/filter-schema.ts";
import { listPosts } from "#lib/review/list-posts.ts";

interface Props {
  params: Promise<{ account: string }>;
}

const POSTS_SHOWN = 20;

/** Cached for metadata and page. Invalid accounts answer 404. */
const authorOf = cache(async (account: string) => {
  try {
    return await getAuthor(account);
  } catch (error) {
    if (error instanceof ApiError && error.code === "author_not_found") notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  await requireMember();
  return { title: (await authorOf((await params).account)).account };
}

export default async function Page({ params }: Props) {
  const member = await requireMember();
  const author = await authorOf((await params).account);
  const posts = await listPosts(PostQuery.parse({ author: author.account, limit: String(POSTS_SHOWN) }));
  return (
    <AuthorPage
      author={author}
      posts={posts}
      preferences={readPreferences(member.preferences)}
      mayReview={reaches(member.role, "reviewer")}
    />
  );
}
