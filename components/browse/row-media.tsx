"use client";
import { plural } from "#components/format.ts";
import { AudioLines, EyeOff, ImageOff, Play } from "lucide-react";
import { useRef, useState } from "react";
import { coverOf } from "#components/post/covered.ts";
import { mediaSource, type Cover } from "#components/ui/media-thumb.tsx";
import type { Media, Post } from "#lib/review/post-schema.ts";
import { useWatchedPictures } from "./seen-pictures.ts";

const MAX_MEDIA = 3;

export interface RowMediaProps {
  post: Post;
  preference: Cover;
  revealed: boolean;
  onPreview: (post: Post) => void;
  tabIndex?: number | undefined;
}

/** Small pictures of a row; a press opens the preview. */
export function RowMedia({ post, preference, revealed, onPreview, tabIndex }: RowMediaProps) {
  const frame = useRef<HTMLButtonElement>(null);
  const { media_attachments: media } = post;
  const isOpen = coverOf(post, preference) === "off" || revealed;
  const shown = media.slice(0, MAX_MEDIA);
  const hiddenCount = media.length - shown.length;
  useWatchedPictures(frame, post, isOpen && hiddenCount === 0);
  if (media.length === 0) return null;
  return (
    <button
      ref={frame}
      type="button"
      tabIndex={tabIndex}
      aria-haspopup="dialog"
      aria-label={`Preview post by ${post.author_account}: ${plural(media.length, "attachment", "attachments")}${isOpen ? "" : ", covered"}`}
      onClick={() => onPreview(post)}
      className="relative z-1 inline-flex shrink-0 items-center gap-0.5 rounded-sm max-desk:mb-1.5 max-desk:flex"
    >
      {shown.map((medium, index) => (
        <Thumb key={index} postId={post.id} index={index} medium={medium} isOpen={isOpen} />
      ))}
      {hiddenCount > 0 ? <span className="tabular px-1 text-12 text-muted">+{hiddenCount}</span> : null}
    </button>
  );
}

const sign =
  "inline-flex size-10 items-center justify-center rounded-sm border border-line bg-wash text-muted";

function Thumb({
  postId,
  index,
  medium,
  isOpen,
}: {
  postId: number;
  index: number;
  medium: Media;
  isOpen: boolean;
}) {
  const [broken, setBroken] = useState(false);
  const Sign = medium.type === "audio" ? AudioLines : isOpen ? ImageOff : EyeOff;
  if (medium.type === "audio" || broken || !isOpen) {
    return (
      <span className={sign}>
        <Sign aria-hidden className="size-4" />
      </span>
    );
  }
  return (
    <span className="relative inline-flex size-10 overflow-hidden rounded-sm border border-line bg-wash">
      <img
        src={mediaSource(postId, index, 320)}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setBroken(true)}
        // The image may have failed before hydration.
        ref={(image) => {
          if (image?.complete && image.naturalWidth === 0) setBroken(true);
        }}
        className="size-full object-contain"
      />
      {medium.type === "image" ? null : (
        <Play aria-hidden className="absolute end-0 bottom-0 size-4 rounded-sm bg-raised p-0.5" />
      )}
    </span>
  );
}
