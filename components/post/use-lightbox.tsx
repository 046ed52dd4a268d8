import { useState, type ReactNode } from "react";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import type { LightboxProps } from "./lightbox.tsx";

const Lightbox = lazyWithRetry(
  () => import("./lightbox.tsx").then((module) => module.Lightbox),
  LoadingNotice,
);

/** The lightbox of a post, and a function that opens it. */
export function useLightbox(
  post: LightboxProps["post"],
): [lightbox: ReactNode, show: (index: number) => void] {
  const [index, setIndex] = useState<number | null>(null);
  return [
    index === null ? null : (
      <Lightbox post={post} index={index} onIndex={setIndex} onClose={() => setIndex(null)} />
    ),
    setIndex,
  ];
}
