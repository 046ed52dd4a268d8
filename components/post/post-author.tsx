import { Bot, ExternalLink, Lock } from "lucide-react";
import { useDeskKeyMap } from "#components/shell/key-context.tsx";
import { Avatar } from "#components/ui/avatar.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { authorHref } from "#lib/client/author-href.ts";
import { keySign } from "#lib/client/desk/keys.ts";
import type { PostCard } from "#lib/review/post-schema.ts";
import { EmojiText } from "./emoji-text.tsx";

export function PostAuthor({ post }: { post: PostCard & { author_blocked: boolean } }) {
  const name = post.author_display_name ?? post.author_username;
  return (
    <header className="flex min-w-0 items-start gap-3">
      <Avatar name={name} bot={post.author_is_bot} size="lg" className="slim:hidden" />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <h2 dir="auto" className="min-w-0 truncate text-16 font-semibold">
            <Link href={authorHref(post.author_account)} tone="plain" prefetch={false}>
              <EmojiText text={name} postId={post.id} emojis={post.emojis} />
            </Link>
          </h2>
          {post.author_is_bot ? (
            <Badge tone="warn" icon={<Bot aria-hidden />}>
              Bot
            </Badge>
          ) : null}
          {post.author_locked ? <Badge icon={<Lock aria-hidden />}>Approves followers</Badge> : null}
          {post.author_blocked ? <Badge tone="reject">Blocked</Badge> : null}
        </div>
        <p className="dotted text-13 text-muted">
          <span dir="auto" className="truncate">
            {post.author_url ? (
              <Link href={post.author_url} external tone="muted">
                {post.author_account}
              </Link>
            ) : (
              post.author_account
            )}
          </span>
          <RelativeTime at={post.created_at} />
          {post.edited_at ? (
            <span>
              Edited <RelativeTime at={post.edited_at} />
            </span>
          ) : null}
          {post.stream ? (
            <span className="truncate" title="Source stream">
              via <bdi className="inline-block max-w-full truncate align-bottom">#{post.stream}</bdi>
            </span>
          ) : null}
        </p>
      </div>
      <OpenOriginal href={post.url ?? post.post_id} />
    </header>
  );
}

function OpenOriginal({ href }: { href: string }) {
  const keys = useDeskKeyMap();
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      aria-label="Open original (opens in a new tab)"
      aria-keyshortcuts={keys?.open}
      title={keys ? `Open original (${keySign(keys.open)})` : "Open original"}
      className={buttonClass("ghost", "sm", "-me-2 -mt-1.5 aspect-square px-0 text-muted hover:text-text")}
    >
      <ExternalLink aria-hidden />
    </a>
  );
}
