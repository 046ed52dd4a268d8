import { CornerUpLeft, TriangleAlert } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import { Link } from "#components/ui/link.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { PostText } from "#components/ui/post-text.tsx";
import type { Edit } from "#lib/review/deck-schema.ts";
import type { PostCard as Card } from "#lib/review/post-schema.ts";
import { coverOf, coverReason } from "./covered.ts";
import { emojiHtml, EmojiText } from "./emoji-text.tsx";
import { PostAuthor } from "./post-author.tsx";
import { PostExtras } from "./post-extras.tsx";
import { PostCounters, PostHashtags, tagsBesides } from "./post-facts.tsx";
import { PostMedia } from "./post-media.tsx";

// Loaded on demand, because few posts are edited.
const EditDifference = lazyWithRetry(() =>
  import("./edit-difference.tsx").then((module) => module.EditDifference),
);

export interface PostCardProps {
  post: Card & { author_blocked: boolean; blocked_hashtags: readonly string[] };
  edit?: Edit | null;
  cover: Cover;
  revealed: boolean;
  onReveal: () => void;
  onOpenMedia: (index: number) => void;
  currentMedium?: number | null;
  underAuthor?: ReactNode;
  underMedia?: ReactNode;
  /** On wide screens media, poll and link card are shown beside the text, as high as the card. */
  beside?: boolean;
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
  beside = false,
}: PostCardProps) {
  const { emojis } = post;
  const html = useMemo(() => emojiHtml(post.content, post.id, emojis), [post.content, post.id, emojis]);
  const hasMedia = post.media_attachments.length > 0;
  const hasExtras = post.quote !== null || post.poll !== null || post.card !== null;
  const apart = beside && (hasMedia || hasExtras);
  const column = "flex min-w-0 flex-col gap-3";
  return (
    <div
      className={cn(
        column,
        apart &&
          "beside:grid beside:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)] beside:grid-rows-[auto_1fr] beside:gap-x-5",
      )}
    >
      <div className={column}>
        <PostAuthor post={post} />
        {underAuthor}
        {post.in_reply_to === null ? null : (
          <p className="flex min-w-0 items-center gap-1.5 text-13 text-muted">
            <CornerUpLeft aria-hidden className="size-4 shrink-0" />
            <span>A reply.</span>
            <Link href={post.url ?? post.post_id} external>
              Open the conversation
            </Link>
          </p>
        )}
        {edit ? <EditDifference edit={edit} /> : null}
        {post.spoiler_text !== null || post.sensitive ? (
          <p className="flex items-start gap-2 rounded-md bg-warn-quiet px-3 py-2 text-14">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
            {post.spoiler_text === null ? (
              <span>Marked sensitive</span>
            ) : (
              <span className="min-w-0 wrap-anywhere">
                <span className="font-medium">Content warning: </span>
                <bdi>
                  <EmojiText text={post.spoiler_text} postId={post.id} emojis={emojis} />
                </bdi>
              </span>
            )}
          </p>
        ) : null}
        {post.content === "" ? (
          post.media_attachments.length === 0 ? (
            <p className="text-14 text-muted">No text</p>
          ) : null
        ) : (
          <PostText html={html} lang={post.language} />
        )}
      </div>
      {hasMedia || hasExtras || underMedia ? (
        <div
          className={cn(
            column,
            apart &&
              "beside:sticky beside:top-0 beside:col-start-2 beside:row-span-2 beside:row-start-1 beside:self-start",
            apart &&
              hasMedia &&
              "beside:grid beside:h-[100cqh] beside:grid-rows-[minmax(0,1fr)] beside:[&>*]:min-w-0",
          )}
        >
          <PostMedia
            postId={post.id}
            media={post.media_attachments}
            cover={coverOf(post, cover)}
            coverReason={coverReason(post)}
            revealed={revealed}
            onReveal={onReveal}
            onOpen={onOpenMedia}
            current={currentMedium}
            fill={apart}
          />
          {underMedia}
          <PostExtras post={post} />
        </div>
      ) : null}
      <div className={column}>
        <PostHashtags
          tags={tagsBesides(post.content, post.hashtags, post.blocked_hashtags)}
          blocked={post.blocked_hashtags}
        />
        <PostCounters post={post} />
      </div>
    </div>
  );
}
