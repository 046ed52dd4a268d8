import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Post } from "#lib/review/post-schema.ts";
import { isUnseen, watch } from "./seen-pictures.ts";

type Media = Post["media_attachments"];
const post = (id: number, ...types: string[]) => ({
  id,
  media_attachments: types.map((type) => ({ type })) as Media,
});

interface Image {
  complete: boolean;
  naturalWidth: number;
}
const loaded: Image = { complete: true, naturalWidth: 320 };
const loading: Image = { complete: false, naturalWidth: 0 };
const broken: Image = { complete: true, naturalWidth: 0 };

let show: (ratio: number, height?: number) => void;
let stopped = 0;

beforeEach(() => {
  stopped = 0;
  vi.stubGlobal("innerHeight", 800);
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(report: (entries: object[]) => void) {
        show = (intersectionRatio, height = 0) =>
          report([{ intersectionRatio, intersectionRect: { height } }]);
      }
      observe = () => undefined;
      disconnect = () => {
        stopped += 1;
      };
    },
  );
});

function frameOf(images: Image[]) {
  let onLoad: () => void = () => undefined;
  const element = {
    querySelectorAll: () => images,
    addEventListener: (_name: string, listener: () => void) => (onLoad = listener),
    removeEventListener: () => undefined,
  } as unknown as HTMLElement;
  return { element, load: () => onLoad() };
}

describe("seen pictures", () => {
  it("has seen a post once all its pictures are loaded and on the screen", () => {
    const seen = new Set<number>();
    const images = [loaded, loading];
    const { element, load } = frameOf(images);
    const stop = watch(element, 2, () => seen.add(7));
    const two = post(7, "image", "video");
    show(0.9);
    expect(isUnseen(two, seen)).toBe(true);
    images[1] = loaded;
    load();
    expect(isUnseen(two, seen)).toBe(false);
    stop();
    expect(stopped).toBe(1);
  });

  it.each([
    ["loaded far below the screen", [loaded], 0],
    ["hardly on the screen", [loaded], 0.2],
    ["not available", [broken], 1],
    ["fewer than the post has", [], 1],
  ])("has not seen pictures that are %s", (_name, images, ratio) => {
    const seen = new Set<number>();
    const { element, load } = frameOf(images);
    watch(element, 1, () => seen.add(7));
    show(ratio);
    load();
    expect(isUnseen(post(7, "image"), seen)).toBe(true);
  });

  it("has seen pictures higher than the screen when they fill half of it, and keeps that", () => {
    const seen = new Set<number>();
    watch(frameOf([loaded]).element, 1, () => seen.add(7));
    show(0.3, 500);
    show(0);
    expect(isUnseen(post(7, "image"), seen)).toBe(false);
    expect(isUnseen(post(8, "image"), seen)).toBe(true);
  });
});
