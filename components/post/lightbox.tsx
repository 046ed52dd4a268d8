import { ChevronLeft, ChevronRight, Maximize, X, ZoomIn, ZoomOut } from "lucide-react";
import { Dialog } from "radix-ui";
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode, type Touch } from "react";
import { cn } from "#components/ui/cn.ts";
import { useDialogFocus } from "#components/ui/dialog.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Link } from "#components/ui/link.tsx";
import { mediaSource, sizeOnCard } from "#components/ui/media-thumb.tsx";
import type { Post } from "#lib/review/post-schema.ts";

export interface LightboxProps {
  post: Pick<Post, "id" | "url" | "post_id" | "media_attachments">;
  index: number;
  onIndex: (index: number) => void;
  onClose: () => void;
  /** Receives keys that the lightbox does not use. */
  onKey?: ((event: KeyboardEvent) => void) | undefined;
  /** Below the picture. */
  children?: ReactNode;
}

const MAX_ZOOM = 6;
const SWIPE_PX = 48;
const STEP = 1.5;

const zooms = [
  ["Zoom out", ZoomOut, 1 / STEP],
  ["Fit to window", Maximize, 0],
  ["Zoom in", ZoomIn, STEP],
] as const;
const steps = [
  ["Previous attachment", ChevronLeft, -1, "start-3"],
  ["Next attachment", ChevronRight, 1, "end-3"],
] as const;

/** Shows media at full size. Arrow keys and swipes change the medium; + and - zoom, 0 fits, Escape closes. */
export function Lightbox({ post, index, onIndex, onClose, onKey, children }: LightboxProps) {
  const { id: postId, media_attachments: media } = post;
  const medium = media[index];
  const [zoom, setZoom] = useState(1);
  const focus = useDialogFocus(false);
  const goBy = useCallback(
    (by: number) => {
      const next = index + by;
      if (next < 0 || next >= media.length) return;
      setZoom(1);
      onIndex(next);
    },
    [index, media.length, onIndex],
  );
  const zoomBy = useCallback(
    (factor: number) => setZoom((now) => Math.min(MAX_ZOOM, Math.max(1, now * factor))),
    [],
  );

  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      // The player uses keys itself.
      if (event.target instanceof HTMLMediaElement) return;
      const act: Record<string, () => void> = {
        ArrowRight: () => goBy(1),
        ArrowLeft: () => goBy(-1),
        "+": () => zoomBy(STEP),
        "=": () => zoomBy(STEP),
        "-": () => zoomBy(1 / STEP),
        "0": () => zoomBy(0),
      };
      const chosen =
        event.ctrlKey || event.metaKey || event.altKey
          ? undefined
          : (act[event.key] ?? (event.code === "Digit0" ? act["0"] : undefined));
      if (!chosen) return onKey?.(event);
      event.preventDefault();
      chosen();
    };
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, [goBy, zoomBy, onKey]);

  if (!medium) return null;
  const alt = medium.description?.trim() ?? "";
  const isVideo = medium.type === "video" || medium.type === "gifv";
  const isPlayed = isVideo || medium.type === "audio";
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-0 z-50 flex animate-fade-in flex-col bg-bg text-text focus-visible:outline-none"
          {...focus}
        >
          <div className="flex h-13 shrink-0 items-center gap-1 px-3">
            <Dialog.Title className="tabular me-auto text-14 font-medium">
              Attachment {index + 1} of {media.length}
            </Dialog.Title>
            {isPlayed
              ? null
              : zooms.map(([label, Icon, factor]) => (
                  <IconButton
                    key={label}
                    label={label}
                    size="md"
                    icon={<Icon aria-hidden />}
                    onClick={() => zoomBy(factor)}
                  />
                ))}
            <Dialog.Close asChild>
              <IconButton label="Close" size="md" icon={<X aria-hidden />} />
            </Dialog.Close>
          </div>
          <div className="relative min-h-0 flex-1 overflow-hidden">
            {isPlayed ? (
              <Player
                key={index}
                postId={postId}
                index={index}
                alt={alt}
                isVideo={isVideo}
                original={post.url ?? post.post_id}
              />
            ) : (
              <Picture
                key={index}
                src={mediaSource(postId, index, 1600)}
                first={mediaSource(postId, index, sizeOnCard(media.length))}
                alt={alt}
                zoom={zoom}
                onDoubleClick={() => setZoom(zoom > 1 ? 1 : 2.5)}
                onSwipe={goBy}
              />
            )}
            {media.length > 1
              ? steps.map(([label, Icon, by, side]) => (
                  <IconButton
                    key={label}
                    label={label}
                    variant="quiet"
                    size="touch"
                    icon={<Icon aria-hidden className="rtl:-scale-x-100" />}
                    aria-disabled={media[index + by] === undefined || undefined}
                    onClick={() => goBy(by)}
                    className={cn("absolute top-1/2 -translate-y-1/2", side)}
                  />
                ))
              : null}
          </div>
          <p
            dir="auto"
            className={cn(
              "max-h-[30dvh] shrink-0 overflow-y-auto px-4 py-3 text-center text-14 whitespace-pre-line wrap-anywhere",
              alt === "" && "text-warn",
            )}
          >
            {alt === "" ? "No description" : alt}
          </p>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PictureProps {
  src: string;
  /** The card's picture, shown until the large one has loaded. */
  first: string;
  alt: string;
  zoom: number;
  onDoubleClick: () => void;
  /** 1: next picture, -1: previous picture. */
  onSwipe: (by: 1 | -1) => void;
}

/** A zoomed picture scrolls. A swipe with one finger changes a fitted one. */
function Picture({ src, first, alt, zoom, onDoubleClick, onSwipe }: PictureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const began = useRef<Touch | null>(null);
  useLayoutEffect(() => {
    const box = frame.current;
    box?.scrollTo((box.scrollWidth - box.clientWidth) / 2, (box.scrollHeight - box.clientHeight) / 2);
  }, [zoom]);
  return (
    <div
      ref={frame}
      // Scroll positions of right-to-left text are negative.
      dir="ltr"
      tabIndex={zoom > 1 ? 0 : undefined}
      className={cn(
        "absolute inset-0 overflow-auto [scrollbar-width:none]",
        zoom > 1 && "cursor-grab active:cursor-grabbing",
      )}
      onDoubleClick={onDoubleClick}
      onPointerMove={({ pointerType, buttons, movementX, movementY, currentTarget }) => {
        if (pointerType === "mouse" && buttons === 1) currentTarget.scrollBy(-movementX, -movementY);
      }}
      onTouchStart={({ touches }) => {
        began.current = (touches.length === 1 && touches[0]) || null;
      }}
      onTouchEnd={({ changedTouches }) => {
        const [from, end] = [began.current, changedTouches[0]];
        if (!from || !end || zoom > 1 || (visualViewport?.scale ?? 1) > 1) return;
        const [dx, dy] = [end.clientX - from.clientX, end.clientY - from.clientY];
        if (Math.abs(dx) >= SWIPE_PX && Math.abs(dx) > Math.abs(dy)) onSwipe(dx < 0 ? 1 : -1);
      }}
    >
      <img
        src={src}
        alt={alt}
        draggable={false}
        className="max-w-none object-contain select-none"
        style={{
          width: `${zoom * 100}%`,
          height: `${zoom * 100}%`,
          background: `center / contain no-repeat url("${first}")`,
        }}
      />
    </div>
  );
}

interface PlayerProps {
  postId: number;
  index: number;
  alt: string;
  isVideo: boolean;
  original: string;
}

function Player({ postId, index, alt, isVideo, original }: PlayerProps) {
  const [broken, setBroken] = useState(false);
  if (broken) {
    return (
      <div className="absolute inset-0 flex flex-col items-center justify-center gap-2 p-6 text-center text-14 text-muted">
        {isVideo ? "This video cannot be played here." : "This audio cannot be played here."}
        <Link href={original} external>
          Open original
        </Link>
      </div>
    );
  }
  const shared = {
    controls: true,
    src: `/media/post/${postId}/${index}/file`,
    "aria-label": alt === "" ? "No description" : alt,
    onError: () => setBroken(true),
  };
  if (!isVideo)
    return <audio preload="metadata" {...shared} className="absolute inset-0 m-auto w-full max-w-xl px-4" />;
  return (
    <video
      muted
      playsInline
      preload="metadata"
      poster={mediaSource(postId, index)}
      {...shared}
      className="absolute inset-0 m-auto max-h-full max-w-full"
    />
  );
}
