import { AudioLines, EyeOff, ImageOff, Play } from "lucide-react";
import { useState, type ReactNode } from "react";
import { cn } from "./cn.ts";
import type { Media } from "#lib/review/post-schema.ts";
import { Kbd } from "./kbd.tsx";

/** How media are covered. `grey` does not load the picture. */
export type Cover = "blur" | "grey" | "off";

export interface MediaThumbProps {
  postId: number;
  /** From 0, as in /media/post/<id>/<n>. */
  index: number;
  media: Media;
  cover: Cover;
  coverReason?: string | undefined;
  revealed: boolean;
  onReveal: () => void;
  revealKey?: string;
  onOpen?: () => void;
  showAlt?: boolean;
  /** On wide screens the picture shrinks to the height of its column. */
  fill?: boolean;
  eager?: boolean;
  /** Default 960. */
  size?: MediaSize;
  /** Tab index of its buttons. */
  tabIndex?: number | undefined;
}

/** Width and height of the box that the picture fits, in pixels. */
export type MediaSize = 320 | 960 | 1600;

/** A longer description may scroll, and takes the focus so that the keyboard can scroll it. */
const LONG_ALT = 300;

/** Address of a picture, which needs a session. */
export function mediaSource(postId: number, index: number, size: MediaSize = 960): string {
  return `/media/post/${postId}/${index}${size === 960 ? "" : `?w=${size}`}`;
}

/** Size of the pictures of a card with `count` media. */
export function sizeOnCard(count: number): MediaSize {
  return count > 2 ? 320 : 960;
}

/** A picture, preview or audio symbol, never cropped, with its cover and description. */
export function MediaThumb({
  postId,
  index,
  media,
  cover,
  coverReason,
  revealed,
  onReveal,
  revealKey,
  onOpen,
  showAlt = false,
  fill = false,
  eager = false,
  size,
  tabIndex,
}: MediaThumbProps) {
  const [broken, setBroken] = useState(false);
  const open = cover === "off" || revealed;
  const alt = media.description?.trim() ?? "";
  const kind =
    media.type === "audio" ? "audio" : media.type === "video" || media.type === "gifv" ? "video" : "image";
  const loads = kind !== "audio" && !broken && (open || cover === "blur");

  const picture = loads ? (
    <img
      src={mediaSource(postId, index, size)}
      // If there is a button, its label has the description.
      alt={open && !onOpen ? alt : ""}
      loading={eager ? "eager" : "lazy"}
      decoding="async"
      onError={() => setBroken(true)}
      // The image may have failed before hydration.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) setBroken(true);
      }}
      className={cn(
        "size-full object-contain",
        fill && "beside:absolute beside:inset-0",
        !open && "scale-110 blur-2xl grayscale",
      )}
    />
  ) : null;

  return (
    <figure
      className={cn(
        "@container min-w-0",
        fill && "beside:flex beside:max-h-full beside:min-h-0 beside:flex-col",
      )}
    >
      <div
        // The ratio applies inside the border.
        className={cn(
          "relative box-content overflow-hidden rounded-md border border-line bg-wash",
          fill && "beside:box-border beside:min-h-24 beside:shrink",
        )}
        style={kind === "audio" ? { height: 80 } : { aspectRatio: shownRatio(media) }}
      >
        {picture}
        {kind === "audio" ? (
          <Sign icon={<AudioLines aria-hidden />} text={alt === "" ? "Audio, no description" : "Audio"} />
        ) : null}
        {broken ? <Sign icon={<ImageOff aria-hidden />} text="Not available" /> : null}
        {open && kind === "video" && !broken ? (
          <span className="absolute start-2 bottom-2 inline-flex items-center gap-1 rounded-sm bg-raised px-1.5 py-0.5 text-12 font-medium text-text">
            <Play aria-hidden className="size-3" /> Video
          </span>
        ) : null}
        {open && !showAlt && !broken && kind !== "audio" && alt === "" ? (
          <NoDescription className="absolute end-2 bottom-2 rounded-sm bg-warn-quiet px-1.5 py-0.5 text-12 font-medium" />
        ) : null}
        {open && onOpen && !broken ? (
          <button
            type="button"
            tabIndex={tabIndex}
            onClick={onOpen}
            aria-label={alt === "" ? `Enlarge picture ${index + 1}, no description` : `Enlarge: ${alt}`}
            className="absolute inset-0 rounded-md focus-visible:-outline-offset-2"
          />
        ) : null}
        {open ? null : (
          <button
            type="button"
            tabIndex={tabIndex}
            onClick={onReveal}
            className="absolute inset-0 flex flex-col items-center justify-center gap-1.5 rounded-md bg-wash/40 p-2 text-13 font-medium text-text focus-visible:-outline-offset-2"
          >
            {coverReason ? (
              <span className="rounded-sm bg-raised px-1.5 py-0.5 text-12 @max-[9rem]:hidden-visually">
                {coverReason}
              </span>
            ) : null}
            <span className="inline-flex items-center gap-1.5 rounded-md border border-line-strong bg-raised px-2 py-1 whitespace-nowrap">
              <EyeOff aria-hidden className="size-4" />
              <span className="@max-[9rem]:hidden-visually">Covered – show</span>
              {revealKey ? <Kbd>{revealKey}</Kbd> : null}
            </span>
          </button>
        )}
      </div>
      {showAlt ? (
        <figcaption
          className={cn("mt-1.5 text-13", fill && "beside:max-h-2/5 beside:shrink-0 beside:overflow-y-auto")}
          {...(fill && alt.length > LONG_ALT ? { tabIndex: 0 } : {})}
        >
          {alt === "" ? <NoDescription /> : <AltText text={alt} hidden={loads && open} />}
        </figcaption>
      ) : null}
    </figure>
  );
}

/** @param hidden screen readers already read it with the picture */
function AltText({ text, hidden }: { text: string; hidden: boolean }) {
  return (
    <span aria-hidden={hidden || undefined} className="flex gap-1.5">
      <span className="mt-px h-4 shrink-0 rounded-sm bg-wash px-1 text-12 leading-4 font-medium text-muted">
        ALT
      </span>
      <span dir="auto" className="min-w-0 whitespace-pre-line wrap-anywhere">
        {text}
      </span>
    </span>
  );
}

function NoDescription({ className }: { className?: string }) {
  return (
    <span className={cn("inline-flex items-center gap-1 text-warn", className)}>
      <ImageOff aria-hidden className="size-3.5" />
      <span className="@max-[9rem]:hidden-visually">No description</span>
    </span>
  );
}

function Sign({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <span className="absolute inset-0 flex flex-col items-center justify-center gap-1.5 p-2 text-13 text-muted [&_svg]:size-5">
      {icon}
      {text}
    </span>
  );
}

/** Aspect ratio of the box, known before the picture loads. */
export function shownRatio({ width, height }: Pick<Media, "width" | "height">): number {
  return width && height ? Math.min(2.4, Math.max(0.6, width / height)) : 4 / 3;
}
