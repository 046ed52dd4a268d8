"use client";
import { blockKinds } from "#components/words.ts";
import { Ban, Bot, Files } from "lucide-react";
import { kindOf } from "#components/filters/block-list-kinds.tsx";
import { EmojiText } from "#components/post/emoji-text.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { Notice } from "#components/ui/states.tsx";
import { formatCount, formatPercent } from "#components/format.ts";
import { authorHref } from "#lib/client/author-href.ts";
import type { DeskPreferences } from "#lib/client/desk/preferences.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Author } from "#lib/review/author-schema.ts";
import type { PostList } from "#lib/review/post-schema.ts";
import { AuthorDecisions } from "./author-decisions.tsx";
import { AuthorPosts } from "./author-posts.tsx";
import { AuthorBlock } from "./author-block.tsx";

export interface AuthorPageProps {
  author: Author;
  posts: PostList;
  query: string;
  preferences: DeskPreferences;
}

export function AuthorPage({ author: rendered, posts: first, query, preferences }: AuthorPageProps) {
  const mayReview = useCan("reviewer");
  const person = useApi<Author>(authorHref(rendered.account), { fallback: rendered });
  const list = useApi<PostList>(`/posts?${query}`, { fallback: first });
  const author = person.data ?? rendered;
  const newest = (list.data ?? first).items[0];
  const { reload: reloadPerson } = person;
  const { reload: reloadPosts } = list;
  const again = () => Promise.all([reloadPerson(), reloadPosts()]);
  const ownBlock = author.blocked_by.find(
    (entry) => entry.pattern_type === "exact" && entry.account_identifier === keyOf(author.account),
  );
  return (
    <>
      <PageHeader
        title={
          <bdi>
            <EmojiText
              text={author.display_name ?? author.account}
              postId={newest?.id ?? 0}
              emojis={newest?.emojis ?? []}
            />
          </bdi>
        }
        description={<Facts author={author} />}
        back={{ href: "/posts", label: "Posts" }}
        actions={
          author.posts === 0 ? undefined : (
            <ButtonLink href={withQuery("/posts", { author: author.account })} icon={<Files aria-hidden />}>
              All posts
            </ButtonLink>
          )
        }
      />
      {author.opt_out ? (
        <Notice
          tone="warn"
          className="mb-4"
          {...(mayReview
            ? {
                action: (
                  <ButtonLink href="/blocking#opt-outs" size="sm">
                    Decide
                  </ButtonLink>
                ),
              }
            : {})}
        >
          <span className="font-medium">A boost bot reported an opt-out:</span>{" "}
          {author.opt_out.reason === "" ? null : `${author.opt_out.reason} · `}
          <RelativeTime at={author.opt_out.reported_at} />
        </Notice>
      ) : null}
      <div className="space-y-6">
        <Figures author={author} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 wide:grid-cols-2">
          <Panel title="Block" description="Posts of blocked authors are rejected when they are fetched.">
            <div className="flex flex-col gap-3">
              <Blocks author={author} />
              <AuthorBlock
                account={author.account}
                blocked={author.blocked_by.length > 0}
                ownBlock={ownBlock?.id}
                onSettled={() => void again()}
              />
            </div>
          </Panel>
          <AuthorDecisions decisions={author.last_decisions} />
        </div>
        <AuthorPosts preferences={preferences} account={author.account} list={list} onChanged={again} />
      </div>
    </>
  );
}

/** The account as the block list stores it. */
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
    </span>
  );
}

function Figures({ author }: { author: Author }) {
  const decided = author.approved + author.rejected - author.auto_rejected;
  const list = (query: Record<string, string>) => withQuery("/posts", { author: author.account, ...query });
  return (
    <StatRow>
      <Stat figure="stored" label="Posts" value={author.posts} href={list({})} />
      <Stat
        figure="stored_approved"
        label="Approved"
        value={author.approved}
        href={list({ approved: "true" })}
      />
      <Stat
        figure="stored_rejected"
        label="Rejected"
        value={author.rejected}
        href={list({ approved: "false" })}
        hint={author.auto_rejected === 0 ? undefined : `${formatCount(author.auto_rejected)} by a filter`}
      />
      <Stat
        figure="unreviewed"
        label="Unreviewed"
        value={author.unreviewed}
        href={list({ reviewed: "false" })}
      />
      <Stat
        figure="approval_rate"
        label="Approval rate"
        value={formatPercent(decided === 0 ? null : (100 * author.approved) / decided)}
        className="max-desk:col-span-2"
      />
    </StatRow>
  );
}

function Blocks({ author: { blocked_by: blocks } }: { author: Author }) {
  if (blocks.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1.5 text-13">
      {blocks.map((entry) => (
        <li key={entry.id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone="reject" icon={<Ban aria-hidden />}>
            Blocked
          </Badge>
          <Link href="/blocking" tone="muted" className="wrap-anywhere">
            {blockKinds[kindOf(entry)]} {entry.account_identifier}
          </Link>
        </li>
      ))}
    </ul>
  );
}
