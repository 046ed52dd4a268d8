"use client";
import { TriangleAlert } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { PostText } from "#components/ui/post-text.tsx";
import * as words from "#components/words/desk.ts";
import type { PostCard as Card } from "#lib/posts/schema.ts";
import { coverOf } from "./covered.ts";
import type { PostEdit } from "./edit-difference.tsx";
import { emojiHtml, EmojiText } from "./emoji-text.tsx";
import { PostAuthor } from "./post-author.tsx";
import { PostExtras } from "./post-extras.tsx";
import { PostCounters, PostHashtags } from "./post-facts.tsx";
import { PostMedia } from "./post-media.tsx";
import { ReplyLine } from "./reply-line.tsx";

// Few posts are edited. Cards are drawn ahead.
const EditDifference = lazyWithRetry(() =>
  import("./edit-difference.tsx").then((module) => module.EditDifference),
);

export interface PostCardProps {
  post: Card & { author_blocked: boolean; blocked_hashtags: readonly string[] };
  edit?: PostEdit | null;
  cover: Cover;
  revealed: boolean;
  onReveal: () => void;
  onOpenMedia: (index: number) => void;
  currentMedium?: number | null;
  underAuthor?: ReactNode;
  underMedia?: ReactNode;
  hashtagAction?: ReactNode;
  eager?: boolean;
}

export function PostCard({
  post,
  edit = null,
  cover,
  revealed,
  onReveal,
  onOpenMedia,
  currentMedium = null,
  underAuthor,
  underMedia,
  hashtagAction,
  eager = false,
}: PostCardProps) {
  const { emojis } = post;
  const html = useMemo(() => emojiHtml(post.content, post.id, emojis), [post.content, post.id, emojis]);
  return (
    <div className="flex flex-col gap-3">
      <PostAuthor post={post} emojis={emojis} blocked={post.author_blocked} />
      {underAuthor}
      <ReplyLine postId={post.id} to={post.in_reply_to} />
      {edit ? <EditDifference edit={edit} /> : null}
      {post.spoiler_text !== null || post.sensitive ? (
        <p className="flex items-start gap-2 rounded-md bg-warn-quiet px-3 py-2 text-14">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
          {post.spoiler_text === null ? (
            <span>{words.post.sensitive}</span>
          ) : (
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium">{words.post.contentWarning}: </span>
              <bdi>
                <EmojiText text={post.spoiler_text} postId={post.id} emojis={emojis} />
              </bdi>
            </span>
          )}
        </p>
      ) : null}
      {post.content === "" ? (
        post.media_attachments.length === 0 ? (
          <p className="text-14 text-muted">{words.post.noText}</p>
        ) : null
      ) : (
        <PostText html={html} lang={post.language} />
      )}
      <PostMedia
        postId={post.id}
        media={post.media_attachments}
        cover={coverOf(post, cover)}
        revealed={revealed}
        onReveal={onReveal}
        onOpen={onOpenMedia}
        current={currentMedium}
        eager={eager}
      />
      {underMedia}
      <PostExtras post={post} emojis={emojis} />
      <PostHashtags tags={post.hashtags} blocked={post.blocked_hashtags} action={hashtagAction} />
      <PostCounters post={post} />
    </div>
  );
}
