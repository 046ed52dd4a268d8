"use client";
import { useState } from "react";
import { coverOf } from "#components/post/covered.ts";
import { SeenPicture } from "#components/post/seen-picture.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import type { Post } from "#lib/review/post-schema.ts";

export interface PostThumbProps extends Pick<Post, "media_attachments" | "media_covered"> {
  postId: number;
  /** The member's choice for covered media. */
  cover: Cover;
  /** Default 64 px. */
  className?: string;
}

/** The first picture or video of a post; a covered one is shown on demand. */
export function PostThumb({ postId, cover, className = "size-16", ...post }: PostThumbProps) {
  const [revealed, setRevealed] = useState(false);
  const medium = post.media_attachments.findIndex(({ type }) => type !== "audio");
  if (medium === -1) return null;
  const covering = coverOf(post, cover);
  return (
    <div className="relative shrink-0">
      <SeenPicture
        postId={postId}
        medium={medium}
        size={320}
        alt={post.media_attachments[medium]?.description?.trim() || "No description"}
        cover={covering}
        revealed={revealed}
        fit="cover"
        className={className}
      />
      {covering === "off" || revealed ? null : (
        <button
          type="button"
          aria-label="Covered – show"
          title="Covered – show"
          onClick={() => setRevealed(true)}
          className="absolute inset-0 rounded-md focus-visible:-outline-offset-2"
        />
      )}
    </div>
  );
}
