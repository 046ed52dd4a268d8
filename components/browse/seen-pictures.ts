import { createContext, useContext, useEffect, type RefObject } from "react";
import type { Post } from "#lib/review/post-schema.ts";

const Seen = createContext<Set<number>>(new Set());

/**
 * Ids of posts whose pictures have all been on the screen, loaded and uncovered. A list approves no other posts. A video
 * counts with its preview, audio has no picture.
 */
export const SeenPictures = Seen.Provider;

type Pictured = Pick<Post, "id" | "media_attachments">;

function picturesOf(post: Pictured): number {
  return post.media_attachments.filter(({ type }) => type !== "audio").length;
}

export function isUnseen(post: Pictured, seen: ReadonlySet<number>): boolean {
  return picturesOf(post) > 0 && !seen.has(post.id);
}

/** Calls `onSeen` once all images in the element are loaded while it is on the screen. */
export function watch(element: HTMLElement, pictures: number, onSeen: () => void): () => void {
  let isOnScreen = false;
  const check = () => {
    const images = [...element.querySelectorAll<HTMLImageElement>('img[src^="/media/post/"]')];
    const loaded = images.filter((image) => image.complete && image.naturalWidth > 0).length;
    if (isOnScreen && loaded >= pictures) onSeen();
  };
  const observer = new IntersectionObserver(
    (entries) => {
      const { intersectionRatio = 0, intersectionRect } = entries.at(-1) ?? {};
      isOnScreen = intersectionRatio >= 0.5 || (intersectionRect?.height ?? 0) >= innerHeight / 2;
      check();
    },
    { threshold: [0, 0.25, 0.5, 0.75] },
  );
  observer.observe(element);
  // Load events do not bubble.
  element.addEventListener("load", check, true);
  return () => {
    observer.disconnect();
    element.removeEventListener("load", check, true);
  };
}

/** @param isOpen all media of the post are shown here, uncovered */
export function useWatchedPictures(
  element: RefObject<HTMLElement | null>,
  post: Pictured,
  isOpen: boolean,
): void {
  const seen = useContext(Seen);
  const pictures = picturesOf(post);
  useEffect(() => {
    if (!isOpen || pictures === 0 || !element.current) return;
    return watch(element.current, pictures, () => seen.add(post.id));
  }, [seen, element, isOpen, post.id, pictures]);
}
