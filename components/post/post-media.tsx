import type { CSSProperties } from "react";
import { useDeskKeyMap } from "#components/shell/key-context.tsx";
import { cn } from "#components/ui/cn.ts";
import { MediaThumb, shownRatio, sizeOnCard, type Cover } from "#components/ui/media-thumb.tsx";
import { keySign } from "#lib/client/desk/keys.ts";
import type { Media } from "#lib/review/post-schema.ts";

export interface PostMediaProps {
  postId: number;
  media: readonly Media[];
  cover: Cover;
  coverReason: string;
  revealed: boolean;
  onReveal: () => void;
  onOpen: (index: number) => void;
  /** Index selected by arrow keys, or null. */
  current: number | null;
  /** On wide screens the media fill their column. */
  fill: boolean;
}

/** All media of a post, not cropped, so that nothing is approved unseen. */
export function PostMedia({
  postId,
  media,
  cover,
  coverReason,
  revealed,
  onReveal,
  onOpen,
  current,
  fill,
}: PostMediaProps) {
  const keys = useDeskKeyMap();
  if (media.length === 0) return null;
  const alone = media.length === 1;
  const shape = alone ? null : shapeFor(media);
  const stacked = media.length === 2 && shape !== null && shape.width > shape.height;
  return (
    <ul
      className={cn(
        "grid gap-3",
        !alone && "grid-cols-2",
        fill && "beside:h-full beside:auto-rows-[minmax(0,1fr)]",
        fill && stacked && "beside:grid-cols-1",
      )}
    >
      {media.map((medium, index) => (
        <li
          key={index}
          data-medium={index}
          className={cn(
            "min-w-0 rounded-md outline-offset-3",
            alone && "max-w-(--fit)",
            fill && "beside:flex beside:min-h-0 beside:max-w-none beside:flex-col",
            current === index && "outline-2 outline-accent",
          )}
          // At most two fifths of the window's height.
          style={
            alone
              ? ({ "--fit": `min(100%, calc(42dvh * ${shownRatio(medium).toFixed(3)}))` } as CSSProperties)
              : undefined
          }
        >
          <MediaThumb
            postId={postId}
            index={index}
            media={shape ? { ...medium, ...shape } : medium}
            cover={cover}
            coverReason={coverReason}
            revealed={revealed}
            onReveal={onReveal}
            {...(keys ? { revealKey: keySign(keys.reveal) } : {})}
            onOpen={() => onOpen(index)}
            showAlt
            fill={fill}
            eager={index === 0}
            size={sizeOnCard(media.length)}
          />
          {medium.type === "audio" ? (
            <audio
              controls
              preload="none"
              src={`/media/post/${postId}/${index}/file`}
              aria-label={medium.description ?? "Audio, no description"}
              className="mt-2 h-control w-full"
            />
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** The mean aspect ratio of the media, so that all tiles have one shape. */
function shapeFor(media: readonly Media[]): { width: number; height: number } {
  const logs = media.map(({ width, height }) => Math.log(width && height ? width / height : 4 / 3));
  const mean = Math.exp(logs.reduce((sum, log) => sum + log, 0) / media.length);
  return { width: Math.min(1.6, Math.max(media.length > 2 ? 1.2 : 0.75, mean)), height: 1 };
}
