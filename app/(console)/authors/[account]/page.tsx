import { Ban, Bot } from "lucide-react";
import type { Metadata } from "next";
import { cache } from "react";
import { AuthorBlock } from "#components/author/author-block.tsx";
import { PostList } from "#components/browse/post-list.tsx";
import { formatCount, formatPercent } from "#components/format.ts";
import { EmojiText } from "#components/post/emoji-text.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { reaches } from "#components/shell/roles.ts";
import { Badge } from "#components/ui/badge.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { EmptyState, Notice } from "#components/ui/states.tsx";
import { blockKinds } from "#components/words.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { storedType } from "#lib/blocking/schema.ts";
import type { Author } from "#lib/review/author-schema.ts";
import { getAuthor } from "#lib/review/authors.ts";
import { PostQuery } from "#lib/review/filter-schema.ts";
import { listPosts } from "#lib/review/list-posts.ts";
import { orNotFound } from "../../or-not-found.ts";

interface Props {
  params: Promise<{ account: string }>;
}

const POSTS_SHOWN = 20;

/** Read once for metadata and page. */
const authorOf = cache((account: string) => orNotFound(getAuthor(account)));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  await requireMember();
  return { title: (await authorOf((await params).account)).account };
}

export default async function Page({ params }: Props) {
  const { role, preferences } = await requireMember();
  const author = await authorOf((await params).account);
  const { account } = author;
  const { items, total } = await listPosts(PostQuery.parse({ author: account, limit: String(POSTS_SHOWN) }));
  const newest = items[0];
  return (
    <>
      <PageHeader
        title={
          <bdi>
            <EmojiText
              text={author.display_name ?? account}
              postId={newest?.id ?? 0}
              emojis={newest?.emojis ?? []}
            />
          </bdi>
        }
        description={<Facts author={author} />}
        back={{ href: "/posts", label: "Posts" }}
        actions={
          <AuthorBlock
            account={account}
            blocked={author.blocked_by.length > 0}
            ownBlock={
              author.blocked_by.find(
                (entry) => entry.pattern_type === "exact" && entry.account_identifier === keyOf(account),
              )?.id
            }
          />
        }
      />
      <div className="space-y-6">
        {author.opt_out ? (
          <Notice
            tone="warn"
            action={
              reaches(role, "reviewer") ? (
                <ButtonLink href="/blocking#opt-outs" size="sm">
                  Decide
                </ButtonLink>
              ) : null
            }
          >
            <span className="font-medium">A boost bot reported an opt-out:</span>{" "}
            {author.opt_out.reason === "" ? null : `${author.opt_out.reason} · `}
            <RelativeTime at={author.opt_out.reported_at} />
          </Notice>
        ) : null}
        <Figures author={author} />
        <section className="flex flex-col gap-3">
          <div className="flex items-baseline gap-4">
            <h2 className="text-14 font-semibold">Newest posts</h2>
            {total > items.length ? (
              <Link href={withQuery("/posts", { author: account })} className="ms-auto text-13">
                Show all {formatCount(total)}
              </Link>
            ) : null}
          </div>
          <PostList
            view="list"
            posts={items}
            preferences={readPreferences(preferences)}
            empty={
              <Card>
                <EmptyState title="No posts by this author" className="py-8">
                  A choice made now applies when posts are fetched.
                </EmptyState>
              </Card>
            }
          />
        </section>
      </div>
    </>
  );
}

/** The form in which the block list stores the account. */
function keyOf(account: string): string {
  return account.replace(/^@/, "").toLowerCase();
}

function Facts({ author }: { author: Author }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {author.url === null ? (
        <span className="wrap-anywhere">{author.account}</span>
      ) : (
        <Link href={author.url} external tone="muted" className="wrap-anywhere">
          {author.account}
        </Link>
      )}
      {author.is_bot ? (
        <Badge tone="warn" icon={<Bot aria-hidden />}>
          Bot
        </Badge>
      ) : null}
      {author.last_post_at === null ? null : (
        <span>
          Last post <RelativeTime at={author.last_post_at} />
        </span>
      )}
      {author.blocked_by.map((entry) => (
        <Badge key={entry.id} tone="reject" icon={<Ban aria-hidden />}>
          Blocked:{" "}
          <Link href="/blocking" tone="plain">
            {blockKinds[storedType(entry)]} {entry.account_identifier}
          </Link>
        </Badge>
      ))}
    </span>
  );
}

function Figures({ author }: { author: Author }) {
  const decided = author.approved + author.rejected - author.auto_rejected;
  const list = (query: Record<string, string>) => withQuery("/posts", { author: author.account, ...query });
  return (
    <StatRow>
      <Stat label="Posts" value={author.posts} href={list({})} />
      <Stat label="Approved" value={author.approved} href={list({ approved: "true" })} />
      <Stat
        label="Rejected"
        value={author.rejected}
        href={list({ approved: "false" })}
        hint={author.auto_rejected === 0 ? undefined : `${formatCount(author.auto_rejected)} by a filter`}
      />
      <Stat label="Unreviewed" value={author.unreviewed} href={list({ reviewed: "false" })} />
      <Stat
        label="Approval rate"
        value={formatPercent(decided === 0 ? null : (100 * author.approved) / decided)}
        className="max-desk:col-span-2"
      />
    </StatRow>
  );
}
