"use client";
import { EyeOff } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";

export interface DuplicatePicturesProps {
  postId: number;
  /** Until a press. */
  isCovered: boolean;
  /** Under the second picture. */
  match: ReactNode;
}

/** The picture of the post, and the one that a bot took for the same. */
export function DuplicatePictures({ postId, isCovered, match }: DuplicatePicturesProps) {
  const [revealed, setRevealed] = useState(false);
  if (isCovered && !revealed)
    return (
      <Button icon={<EyeOff aria-hidden />} onClick={() => setRevealed(true)}>
        Show covered pictures
      </Button>
    );
  return (
    <div className="grid w-full grid-cols-2 gap-3 desk:w-100">
      <Picture src={`/media/duplicate/${postId}/current`} name="Picture of this post" />
      <Picture src={`/media/duplicate/${postId}/matched`} name="Picture that it was found to equal">
        {match}
      </Picture>
    </div>
  );
}

function Picture({ src, name, children }: { src: string; name: string; children?: ReactNode }) {
  const [missing, setMissing] = useState(false);
  return (
    <figure className="min-w-0">
      <div className="flex aspect-4/3 items-center justify-center overflow-hidden rounded-md border border-line bg-wash">
        {missing ? (
          <span className="px-2 text-center text-13 text-muted">Picture not available</span>
        ) : (
          <img
            src={src}
            alt={name}
            loading="lazy"
            className="h-full w-full object-contain"
            onError={() => setMissing(true)}
          />
        )}
      </div>
      <figcaption className="mt-1 text-12 text-muted">
        {name} {children}
      </figcaption>
    </figure>
  );
}
