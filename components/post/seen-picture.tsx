import { EyeOff, ImageOff } from "lucide-react";
import { useState } from "react";
import { cn } from "#components/ui/cn.ts";
import { mediaSource, type Cover, type MediaSize } from "#components/ui/media-thumb.tsx";

export interface SeenPictureProps {
  postId: number;
  medium: number;
  size: MediaSize;
  alt: string;
  cover: Cover;
  revealed: boolean;
  /** Undefined without room for a button. */
  onReveal?: () => void;
  className?: string;
  style?: React.CSSProperties;
}

export function SeenPicture({ cover, revealed, onReveal, className, style, ...of }: SeenPictureProps) {
  const [broken, setBroken] = useState(false);
  const open = cover === "off" || revealed;
  return (
    <div
      className={cn("@container relative overflow-hidden rounded-md border border-line bg-wash", className)}
      style={style}
    >
      {!broken && (open || cover === "blur") ? (
        <img
          src={mediaSource(of.postId, of.medium, of.size)}
          alt={open ? of.alt : ""}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
          className={cn("size-full object-contain", !open && "scale-110 blur-2xl grayscale")}
        />
      ) : null}
      {broken ? (
        <span className="absolute inset-0 flex items-center justify-center text-muted">
          <ImageOff aria-hidden className="size-5" />
          <span className="hidden-visually">Not available</span>
        </span>
      ) : open ? null : onReveal ? (
        <button
          type="button"
          onClick={onReveal}
          className={cn(place, "rounded-md focus-visible:-outline-offset-2")}
        >
          <Covered text="Covered – show" />
        </button>
      ) : (
        <span className={place}>
          <Covered text="Covered picture" />
        </span>
      )}
    </div>
  );
}

const place = "absolute inset-0 flex items-center justify-center text-13 font-medium";

function Covered({ text }: { text: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 rounded-md border border-line-strong bg-raised p-1 whitespace-nowrap">
      <EyeOff aria-hidden className="size-4" />
      <span className="@max-[9rem]:hidden-visually">{text}</span>
    </span>
  );
}
