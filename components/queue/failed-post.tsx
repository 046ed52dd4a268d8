import type { ReactNode } from "react";
import { EmojiText } from "#components/post/emoji-text.tsx";
import { Link } from "#components/ui/link.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { plural } from "#components/format.ts";
import { authorHref } from "#lib/client/author-href.ts";
import type { FailedPost } from "#lib/review/failed-schema.ts";
import { PostThumb } from "./post-thumb.tsx";

export interface FailedPostProps {
  post: FailedPost;
  cover: Cover;
  /** Default: its first picture. */
  picture?: ReactNode;
  actions?: ReactNode;
}

/** Picture, author, text, times, attempts, and the bot that reported it. */
export function FailedPostLine({ post, cover, picture, actions }: FailedPostProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 desk:flex-nowrap">
      {picture === undefined ? <PostThumb postId={post.id} cover={cover} {...post} /> : picture}
      <div className="min-w-0 flex-1 basis-48 space-y-0.5 text-13">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <Link
            href={authorHref(post.author_account)}
            tone="plain"
            prefetch={false}
            className="min-h-6 min-w-0 font-medium wrap-anywhere"
          >
            <bdi>{post.author_display_name || post.author_username}</bdi>
          </Link>
          <bdi className="text-12 wrap-anywhere text-muted">{post.author_account}</bdi>
        </p>
        <Words post={post} />
        <Facts post={post} />
      </div>
      {actions ? <div className="flex flex-wrap gap-2 desk:justify-end">{actions}</div> : null}
    </div>
  );
}

/** A content warning stands in place of the text. */
function Words({ post }: { post: FailedPost }) {
  const warning = post.spoiler_text;
  return (
    <Link
      href={`/posts/${post.id}`}
      tone="plain"
      prefetch={false}
      className="line-clamp-2 min-h-6 font-normal wrap-anywhere"
    >
      {warning ? <span className="text-muted">Content warning: </span> : null}
      <span dir="auto" lang={warning ? undefined : (post.language ?? undefined)}>
        <EmojiText text={warning ?? post.content_snippet} postId={post.id} emojis={post.emojis} />
      </span>
    </Link>
  );
}

function Facts({ post }: { post: FailedPost }) {
  return (
    <p className="flex flex-wrap gap-x-3 text-12 text-muted">
      <span>
        Reported <RelativeTime at={post.errored_at} />
        {post.reported_by === null ? null : (
          <>
            {" "}
            {"by"} <bdi className="wrap-anywhere">{post.reported_by}</bdi>
          </>
        )}
      </span>
      <span>{plural(post.delivery_count, "attempt", "attempts")}</span>
      <span>
        Posted <RelativeTime at={post.created_at} />
      </span>
      <span>
        Approved <RelativeTime at={post.approved_at} />
      </span>
    </p>
  );
}
