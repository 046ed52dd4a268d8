import { ChevronLeft, ChevronRight, Maximize, X, ZoomIn, ZoomOut } from "lucide-react";
import { Dialog } from "radix-ui";
import { useCallback, useEffect, useRef, useState, type PointerEvent, type ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { useFocus } from "#components/ui/dialog.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Link } from "#components/ui/link.tsx";
import { mediaSource, sizeOnCard } from "#components/ui/media-thumb.tsx";
import type { Post } from "#lib/review/post-schema.ts";

export interface LightboxProps {
  /** Its address is for media that the browser cannot play. */
  post: Pick<Post, "id" | "url" | "post_id" | "media_attachments">;
  index: number;
  onIndex: (index: number) => void;
  onClose: () => void;
  /** Keys beyond the lightbox's own. */
  onKey?: ((event: KeyboardEvent) => void) | undefined;
  /** Below the picture. */
  children?: ReactNode;
}

/** Zoom factor and offset from the centre in pixels. */
interface View {
  zoom: number;
  x: number;
  y: number;
}

const fitted: View = { zoom: 1, x: 0, y: 0 };

const MAX_ZOOM = 6;
const SWIPE = 48;

/** Around the centre; at least fitted. */
function zoomed(view: View, factor: number): View {
  const zoom = Math.min(MAX_ZOOM, Math.max(1, view.zoom * factor));
  return zoom === 1 ? fitted : { zoom, x: (view.x * zoom) / view.zoom, y: (view.y * zoom) / view.zoom };
}

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

/**
 * Arrow keys and swipes change the medium; +, - and pinching zoom, 0 fits, dragging pans, Escape closes.
 */
export function Lightbox({ post, index, onIndex, onClose, onKey, children }: LightboxProps) {
  const { id: postId, media_attachments: media } = post;
  const medium = media[index];
  const [view, setView] = useState(fitted);
  const focus = useFocus(false);
  const goBy = useCallback(
    (by: number) => {
      const next = index + by;
      if (next < 0 || next >= media.length) return;
      setView(fitted);
      onIndex(next);
    },
    [index, media.length, onIndex],
  );
  const zoomBy = useCallback((factor: number) => setView((now) => zoomed(now, factor)), []);

  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      // The player's own keys.
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
              <Player key={index} {...{ postId, index, alt, isVideo }} original={post.url ?? post.post_id} />
            ) : (
              <Picture
                key={index}
                src={mediaSource(postId, index, 1600)}
                first={mediaSource(postId, index, sizeOnCard(media.length))}
                alt={alt}
                view={view}
                onView={setView}
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

interface PictureProps extends PictureGestures {
  src: string;
  /** The card's picture, shown until the large one has loaded. */
  first: string;
  alt: string;
}

function Picture({ src, first, alt, view, onView, onSwipe }: PictureProps) {
  const gestures = usePictureGestures({ view, onView, onSwipe });
  const frame = useRef<HTMLDivElement>(null);
  // React's wheel listener is passive and could not prevent scrolling.
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      onView((now) => zoomed(now, event.deltaY < 0 ? 1.15 : 1 / 1.15));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [onView]);

  return (
    <div
      ref={frame}
      className={cn("absolute inset-0 touch-none", view.zoom > 1 && "cursor-grab active:cursor-grabbing")}
      {...gestures}
      onDoubleClick={() => onView((now) => (now.zoom > 1 ? fitted : zoomed(now, 2.5)))}
    >
      <img
        src={src}
        alt={alt}
        draggable={false}
        className="size-full object-contain select-none"
        style={{
          background: `center / contain no-repeat url("${first}")`,
          transform: `translate(${view.x}px, ${view.y}px) scale(${view.zoom})`,
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

interface Point {
  x: number;
  y: number;
}

interface PictureGestures {
  view: View;
  onView: (change: (now: View) => View) => void;
  /** 1: next picture, -1: previous picture. */
  onSwipe: (by: 1 | -1) => void;
}

/** Two fingers zoom. One finger pans an enlarged picture and swipes a fitted one. */
function usePictureGestures({ view, onView, onSwipe }: PictureGestures) {
  const down = useRef(new Map<number, Point>());
  const began = useRef<Point | null>(null);

  const lift = (event: PointerEvent) => {
    down.current.delete(event.pointerId);
    if (down.current.size === 0) began.current = null;
  };

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const at = { x: event.clientX, y: event.clientY };
      down.current.set(event.pointerId, at);
      began.current = down.current.size === 1 && event.pointerType === "touch" ? at : null;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = down.current.get(event.pointerId);
      if (!from) return;
      const to = { x: event.clientX, y: event.clientY };
      down.current.set(event.pointerId, to);
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const factor = distance(to, other) / Math.max(1, distance(from, other));
        // The centre moves half as far as one finger.
        onView((now) => moved(zoomed(now, factor), dx / 2, dy / 2));
      } else onView((now) => moved(now, dx, dy));
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const from = began.current;
      lift(event);
      if (!from || view.zoom > 1) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (Math.abs(dx) >= SWIPE && Math.abs(dx) > Math.abs(dy)) onSwipe(dx < 0 ? 1 : -1);
    },
    onPointerCancel: lift,
  };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function moved(view: View, dx: number, dy: number): View {
  return view.zoom === 1 ? view : { ...view, x: view.x + dx, y: view.y + dy };
}
