import { BarChartHorizontal, Check, Maximize2 } from "lucide-react";
import { memo, useId, useRef, type MouseEvent } from "react";
import { CheckBadge, isNoteworthy } from "#components/post/check-result.tsx";
import { coverOf, coverReason } from "#components/post/covered.ts";
import { EmojiText } from "#components/post/emoji-text.tsx";
import { useLightbox } from "#components/post/use-lightbox.tsx";
import { cn } from "#components/ui/cn.ts";
import { Link } from "#components/ui/link.tsx";
import { MediaThumb, type Cover } from "#components/ui/media-thumb.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { plainText } from "#lib/client/plain-text.ts";
import type { Post } from "#lib/review/post-schema.ts";
import { useWatchedPictures } from "./seen-pictures.ts";

export interface PostTileProps {
  post: Post;
  cover: Cover;
  selected: boolean;
  /** Has tabindex 0, and its controls can be reached with Tab. */
  isTabStop: boolean;
  onTabStop: (id: number) => void;
  revealed: boolean;
  onReveal: (id: number) => void;
  /** Undefined if posts cannot be selected. */
  onToggle: ((id: number, range: boolean) => void) | undefined;
}

/** Attributes of a post in a list: tab index, label and selection. */
export function tabStopProps({ post, selected, isTabStop, onTabStop, onToggle }: PostTileProps) {
  const tabIndex = isTabStop ? undefined : -1;
  return {
    tabIndex,
    article: {
      "data-stop": post.id,
      tabIndex: isTabStop ? 0 : -1,
      onFocus: () => onTabStop(post.id),
      "aria-label": `Post by ${post.author_display_name ?? post.author_account}${selected ? ", Selected" : ""}`,
    },
    checkbox: {
      checked: selected,
      tabIndex,
      onChange: () => undefined,
      // A change event has no Shift state.
      onClick: (event: MouseEvent) => onToggle?.(post.id, event.shiftKey),
    },
  };
}

export const PostTile = memo(function PostTile(props: PostTileProps) {
  const { post, cover, selected, revealed, onReveal, onToggle } = props;
  const { tabIndex, article, checkbox } = tabStopProps(props);
  const textId = useId();
  const hasMedia = post.media_attachments.length > 0;
  const text = plainText(post.content);
  const withEmojis = (value: string) => <EmojiText text={value} postId={post.id} emojis={post.emojis} />;
  return (
    <li data-post={post.id} className="flex min-w-0">
      <article
        {...article}
        aria-describedby={textId}
        className={cn(
          "group relative flex w-full min-w-0 scroll-mt-16 flex-col overflow-hidden rounded-lg border bg-surface transition-colors focus-visible:outline-offset-2",
          selected ? "border-accent ring-1 ring-accent" : "border-line hover:border-line-strong",
        )}
      >
        {onToggle ? (
          <>
            <input
              type="checkbox"
              aria-label={`Select post by ${post.author_account}`}
              className="peer absolute inset-0 z-1 appearance-none rounded-lg focus-visible:-outline-offset-2"
              {...checkbox}
            />
            <span
              aria-hidden
              className={cn(
                "pointer-events-none absolute end-2 bottom-2 z-1 inline-flex size-5 items-center justify-center rounded-sm border",
                selected
                  ? "border-(--accent-fill) bg-accent text-on-accent"
                  : "border-line-strong bg-raised opacity-0 group-hover:opacity-100 peer-focus-visible:opacity-100 group-focus-visible:opacity-100 pointer-coarse:opacity-100",
              )}
            >
              {selected ? <Check className="size-3.5" strokeWidth={3} /> : null}
            </span>
          </>
        ) : null}
        <TileMedia post={post} cover={cover} revealed={revealed} onReveal={onReveal} tabIndex={tabIndex} />
        <div className="flex min-w-0 flex-1 flex-col gap-1.5 p-3">
          <p className="flex min-w-0 items-baseline gap-2 text-13">
            <Link
              href={`/posts/${post.id}`}
              tone="plain"
              prefetch={false}
              tabIndex={tabIndex}
              dir="auto"
              className="relative z-2 min-w-0 truncate font-medium"
            >
              {withEmojis(post.author_display_name ?? post.author_username)}
            </Link>
            <RelativeTime at={post.created_at} className="ms-auto shrink-0 text-12 text-muted" />
          </p>
          {post.spoiler_text ? (
            <p className="flex gap-1 text-12 text-warn">
              <span className="shrink-0">Content warning:</span>
              <span dir="auto" className="min-w-0 truncate">
                {withEmojis(post.spoiler_text)}
              </span>
            </p>
          ) : null}
          <p
            id={textId}
            dir="auto"
            lang={post.language ?? undefined}
            className={cn("text-13 wrap-anywhere", hasMedia ? "line-clamp-3" : "line-clamp-8")}
          >
            {text === "" ? <span className="text-muted">No text</span> : withEmojis(text)}
          </p>
          <p className="mt-auto flex min-h-6 flex-wrap items-center gap-1.5 pe-6 pt-1">
            {isNoteworthy(post) ? (
              <span title={post.ai_reasons.join("\n")} className="relative z-2 min-w-0">
                <CheckBadge post={post} />
              </span>
            ) : null}
            {post.poll ? (
              <span className="inline-flex items-center gap-1 text-12 text-muted">
                <BarChartHorizontal aria-hidden className="size-3.5" />
                Poll
              </span>
            ) : null}
          </p>
        </div>
      </article>
    </li>
  );
});

export type PostMediaProps = Pick<PostTileProps, "post" | "cover" | "revealed" | "onReveal"> & {
  tabIndex: number | undefined;
};

/** All media, not cropped, so that nothing is approved unseen. */
function TileMedia({ post, cover: preference, revealed, onReveal, tabIndex }: PostMediaProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [lightbox, enlarge] = useLightbox(post);
  const { media_attachments: media } = post;
  const cover = coverOf(post, preference);
  const isOpen = cover === "off" || revealed;
  useWatchedPictures(frame, post, isOpen);
  if (media.length === 0) return null;
  return (
    <div className="relative">
      <div
        ref={frame}
        className={cn(
          "grid gap-px bg-line [&_button]:z-2 [&_figure>div]:rounded-none [&_figure>div]:border-0",
          media.length > 1 && "grid-cols-2 *:last:odd:col-span-2",
        )}
      >
        {media.map((medium, index) => (
          <MediaThumb
            key={index}
            postId={post.id}
            index={index}
            media={{ ...medium, width: 1, height: 1 }}
            cover={cover}
            coverReason={coverReason(post)}
            revealed={revealed}
            onReveal={() => onReveal(post.id)}
            size={320}
            tabIndex={tabIndex}
          />
        ))}
      </div>
      {isOpen ? (
        <button
          type="button"
          tabIndex={tabIndex}
          aria-label={`Enlarge picture: ${post.author_account}`}
          title="Enlarge picture"
          onClick={() => enlarge(0)}
          className="absolute start-0 top-0 z-2 inline-flex size-9 items-center justify-center rounded-md opacity-0 group-hover:opacity-100 focus-visible:opacity-100 focus-visible:-outline-offset-2 pointer-coarse:size-11 pointer-coarse:opacity-100"
        >
          <span className="rounded-sm bg-raised p-1">
            <Maximize2 aria-hidden className="size-4" />
          </span>
        </button>
      ) : null}
      {lightbox}
    </div>
  );
}
