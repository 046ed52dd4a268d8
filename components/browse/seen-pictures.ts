"use client";
import { createContext, useContext, useEffect, type RefObject } from "react";
import { useStore } from "#lib/client/use-store.ts";
import type { Post } from "#lib/review/post-schema.ts";

/**
 * Posts whose pictures have all been on the screen, loaded and uncovered. Approvals from a list need it; a video counts
 * with its still picture, and sound has none.
 */
export class SeenPictures {
  private seen: ReadonlySet<number> = new Set();
  private readonly listeners = new Set<() => void>();

  getState = (): ReadonlySet<number> => this.seen;
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  mark(id: number): void {
    if (this.seen.has(id)) return;
    this.seen = new Set(this.seen).add(id);
    for (const each of this.listeners) each();
  }

  /** Marks the post once all images in the element are loaded while it is on the screen. */
  watch(element: HTMLElement, id: number, pictures: number): () => void {
    let isOnScreen = false;
    const check = () => {
      const images = [...element.querySelectorAll<HTMLImageElement>('img[src^="/media/post/"]')];
      const loaded = images.filter((image) => image.complete && image.naturalWidth > 0).length;
      if (isOnScreen && loaded >= pictures) this.mark(id);
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
}

const Store = createContext<SeenPictures | null>(null);
export const SeenPicturesStore = Store.Provider;

const none: ReadonlySet<number> = new Set();

export function picturesOf(post: Pick<Post, "media_attachments">): number {
  return post.media_attachments.filter(({ type }) => type !== "audio").length;
}

export function isUnseen(post: Pick<Post, "id" | "media_attachments">, seen: ReadonlySet<number>): boolean {
  return picturesOf(post) > 0 && !seen.has(post.id);
}

export function useSeen(store: SeenPictures | null): ReadonlySet<number> {
  return useStore(store, none);
}

/** @param whole all media of the post are drawn here, uncovered */
export function useWatchedPictures(
  element: RefObject<HTMLElement | null>,
  post: Pick<Post, "id" | "media_attachments">,
  whole: boolean,
): void {
  const store = useContext(Store);
  const pictures = picturesOf(post);
  useEffect(() => {
    if (!store || !whole || pictures === 0 || !element.current) return;
    return store.watch(element.current, post.id, pictures);
  }, [store, element, whole, post.id, pictures]);
}
