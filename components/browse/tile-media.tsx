"use client";
import { Maximize2 } from "lucide-react";
import { useRef, useState } from "react";
import { coverOf, coverReason } from "#components/post/covered.ts";
import { cn } from "#components/ui/cn.ts";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { MediaThumb, type Cover } from "#components/ui/media-thumb.tsx";
import type { Post } from "#lib/review/post-schema.ts";
import { useWatchedPictures } from "./seen-pictures.ts";

const Lightbox = lazyWithRetry(
  () => import("#components/post/lightbox.tsx").then((module) => module.Lightbox),
  LoadingNotice,
);

/** The last one shows how many more there are. */
const MAX_MEDIA = 4;

export interface TileMediaProps {
  post: Post;
  preference: Cover;
  /** Undefined: uncontrolled. */
  revealed?: boolean | undefined;
  onReveal?: ((id: number) => void) | undefined;
  tabIndex?: number | undefined;
}

/** Not cropped, so that nothing is approved unseen. */
export function TileMedia({ post, preference, revealed, onReveal, tabIndex }: TileMediaProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState(false);
  const [enlarged, setEnlarged] = useState<number | null>(null);
  const { media_attachments: media } = post;
  const cover = coverOf(post, preference);
  const shown = media.slice(0, MAX_MEDIA);
  const hiddenCount = media.length - shown.length;
  const first = media.findIndex(({ type }) => type !== "audio");
  const isOpen = cover === "off" || (revealed ?? opened);
  useWatchedPictures(frame, post, isOpen && hiddenCount === 0);
  if (shown.length === 0) return null;
  return (
    <div className="relative">
      <div
        ref={frame}
        className={cn(
          "grid gap-px bg-line [&_button]:z-2 [&_figure>div]:rounded-none [&_figure>div]:border-0",
          shown.length > 1 && "grid-cols-2",
        )}
      >
        {shown.map((medium, index) => (
          <div
            key={index}
            className={cn("relative min-w-0", shown.length === 3 && index === 2 && "col-span-2")}
          >
            <MediaThumb
              postId={post.id}
              index={index}
              media={{ ...medium, ...shapeOf(index, shown.length) }}
              cover={cover}
              coverReason={coverReason(post)}
              revealed={revealed ?? opened}
              onReveal={() => {
                setOpened(true);
                onReveal?.(post.id);
              }}
              size={320}
              tabIndex={tabIndex}
            />
            {hiddenCount > 0 && index === shown.length - 1 ? (
              <span className="tabular absolute end-1 top-1 rounded-sm bg-raised px-1.5 py-0.5 text-12 font-medium">
                +{hiddenCount}
              </span>
            ) : null}
          </div>
        ))}
      </div>
      {first >= 0 && isOpen ? (
        <button
          type="button"
          tabIndex={tabIndex}
          aria-label={`Enlarge picture: ${post.author_account}`}
          title="Enlarge picture"
          onClick={() => setEnlarged(first)}
          className="absolute start-0 top-0 z-2 inline-flex size-9 items-center justify-center rounded-md opacity-0 group-hover:opacity-100 focus-visible:opacity-100 focus-visible:-outline-offset-2 pointer-coarse:size-11 pointer-coarse:opacity-100"
        >
          <span className="rounded-sm bg-raised p-1">
            <Maximize2 aria-hidden className="size-4" />
          </span>
        </button>
      ) : null}
      {enlarged === null ? null : (
        <Lightbox
          postId={post.id}
          original={post.url ?? post.post_id}
          media={media}
          index={enlarged}
          onIndex={setEnlarged}
          onClose={() => setEnlarged(null)}
        />
      )}
    </div>
  );
}

function shapeOf(index: number, count: number): { width: number; height: number } {
  if (count === 2) return { width: 3, height: 5 };
  return { width: count === 3 && index === 2 ? 2 : 1, height: 1 };
}
