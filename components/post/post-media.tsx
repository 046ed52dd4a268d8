"use client";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { cn } from "#components/ui/cn.ts";
import { MediaThumb, type Cover } from "#components/ui/media-thumb.tsx";
import * as words from "#components/words/desk.ts";
import { keySign } from "#lib/desk/keys.ts";
import type { Media } from "#lib/posts/schema.ts";

export interface PostMediaProps {
  postId: number;
  media: readonly Media[];
  cover: Cover;
  revealed: boolean;
  onReveal: () => void;
  onOpen: (index: number) => void;
  /** The one the arrow keys are at; null while nobody has used them. */
  current?: number | null;
  /** Loads at once. */
  eager?: boolean;
}

/**
 * Every medium of a post, uncropped: what is cut off would be approved unseen. With its alt text in full. One stands
 * alone as large as it may, several side by side in frames of one shape, so that their lines meet.
 */
export function PostMedia({
  postId,
  media,
  cover,
  revealed,
  onReveal,
  onOpen,
  current = null,
  eager = false,
}: PostMediaProps) {
  const keys = useDeskKeyMap();
  if (media.length === 0) return null;
  const alone = media.length === 1;
  const shape = alone ? null : shapeFor(media);
  return (
    <ul className={cn("grid gap-3", !alone && "grid-cols-2")}>
      {media.map((medium, index) => (
        <li
          key={index}
          data-medium={index}
          className={cn(
            "min-w-0 rounded-md outline-offset-3",
            current === index && "outline-2 outline-accent",
          )}
          style={alone ? { maxWidth: widthFor(medium) } : undefined}
        >
          <MediaThumb
            postId={postId}
            index={index}
            media={shape ? { ...medium, ...shape } : medium}
            cover={cover}
            revealed={revealed}
            onReveal={onReveal}
            {...(keys ? { revealKey: keySign(keys.reveal) } : {})}
            onOpen={() => onOpen(index)}
            showAlt
            eager={eager && index === 0}
            size={alone ? 960 : 320}
          />
          {medium.type === "audio" ? <AudioPlayer postId={postId} index={index} medium={medium} /> : null}
        </li>
      ))}
    </ul>
  );
}

/** Sound is played where it stands; nothing is loaded before somebody presses play. */
function AudioPlayer({ postId, index, medium }: { postId: number; index: number; medium: Media }) {
  return (
    // A transcript is not the fediverse's to give: the description above is all there is.
    <audio
      controls
      preload="none"
      src={`/media/post/${postId}/${index}/file`}
      aria-label={medium.description ?? words.media.audioUndescribed}
      className="mt-2 h-control w-full"
    />
  );
}

/** The frame for several: the mean of their shapes; from three on never tall, so that two lines fit on a card. */
function shapeFor(media: readonly Media[]): { width: number; height: number } {
  const logs = media.map(({ width, height }) => Math.log(width && height ? width / height : 4 / 3));
  const mean = Math.exp(logs.reduce((sum, log) => sum + log, 0) / media.length);
  return { width: Math.min(1.6, Math.max(media.length > 2 ? 1.2 : 0.75, mean)), height: 1 };
}

/** Keeps a single picture within two fifths of the window's height, whatever its shape, before it has arrived. */
function widthFor({ width, height }: Media): string {
  const ratio = width && height ? Math.min(2.4, Math.max(0.6, width / height)) : 4 / 3;
  return `min(100%, calc(42dvh * ${ratio.toFixed(3)}))`;
}
