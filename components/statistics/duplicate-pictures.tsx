"use client";
import { EyeOff } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { Link } from "#components/ui/link.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import type { FailedPost } from "#lib/review/failed-schema.ts";
import type { DuplicateReport } from "./read-report.ts";

export type DuplicateView = "side" | "overlay";

export interface DuplicatePicturesProps {
  post: FailedPost;
  report: DuplicateReport;
  view: DuplicateView;
  cover: Cover;
}

/** Both are covered when one of the posts is: they are probably the same picture. */
export function DuplicatePictures({ post, report, view, cover }: DuplicatePicturesProps) {
  const [revealed, setRevealed] = useState(false);
  const isCovered =
    (post.media_covered || post.matched?.media_covered === true) && cover !== "off" && !revealed;
  const matched = report.isItself ? null : post.matched;
  if (isCovered) {
    return (
      <Button icon={<EyeOff aria-hidden />} onClick={() => setRevealed(true)}>
        Show covered pictures
      </Button>
    );
  }
  if (view === "overlay") return <Overlay postId={post.id} />;
  return (
    <div className="grid max-w-3xl grid-cols-2 gap-3">
      <figure className="min-w-0">
        <Picture postId={post.id} side="current" alt="Picture of this post" />
        <figcaption className="mt-1 text-12 text-muted">Picture of this post</figcaption>
      </figure>
      <figure className="min-w-0">
        <Picture postId={post.id} side="matched" alt="Picture that it was found to equal" />
        <figcaption className="mt-1 text-12 text-muted">
          Picture that it was found to equal{" "}
          {matched === null ? null : (
            <Link
              href={`/posts/${matched.post_id}`}
              tone="muted"
              className="inline-block min-h-6 wrap-anywhere"
            >
              <bdi>Post by {matched.author_account}</bdi>
            </Link>
          )}
        </figcaption>
      </figure>
    </div>
  );
}

type Side = "current" | "matched";

function Picture({ postId, side, alt }: { postId: number; side: Side; alt: string }) {
  const [missing, setMissing] = useState(false);
  return (
    <div className="flex aspect-4/3 items-center justify-center overflow-hidden rounded-md border border-line bg-wash">
      {missing ? (
        <span className="px-2 text-center text-13 text-muted">Picture not available</span>
      ) : (
        <img
          src={source(postId, side)}
          alt={alt}
          loading="lazy"
          className="h-full w-full object-contain"
          onError={() => setMissing(true)}
        />
      )}
    </div>
  );
}

function Overlay({ postId }: { postId: number }) {
  const [amount, setAmount] = useState(50);
  const layer = (side: Side, alt: string, opacity: number) => (
    <img
      src={source(postId, side)}
      alt={alt}
      className={cn("absolute inset-0 h-full w-full object-contain")}
      style={{ opacity }}
    />
  );
  return (
    <div className="max-w-xl space-y-2">
      <div className="relative aspect-4/3 overflow-hidden rounded-md border border-line bg-wash">
        {layer("current", "Picture of this post", 1)}
        {layer("matched", "Picture that it was found to equal", amount / 100)}
      </div>
      <input
        type="range"
        min={0}
        max={100}
        value={amount}
        aria-label="Opacity of the second picture"
        className="h-6 w-full accent-(--accent-fill) pointer-coarse:h-11"
        onChange={(event) => setAmount(Number(event.target.value))}
      />
    </div>
  );
}

function source(postId: number, side: Side): string {
  return `/media/duplicate/${postId}/${side}`;
}
