import { isTooLarge } from "./fetch-failure.ts";
import type { TimelinePage } from "./timeline.ts";

/** After the usual size. */
const SMALLER_SIZES = [20, 10, 5, 1];
/** A fetch has no time for all sizes when each answer takes longer, in milliseconds. */
const SLOW_ANSWER_MS = 3_000;

export type AskForPage = (size: number) => Promise<TimelinePage>;

/**
 * Asks for a page again with fewer posts while its answer exceeds the limit. The size stays small for the next pages and
 * grows by one step with each page that could be read.
 *
 * @returns a function that throws `too_large` when not even one post could be read or passed
 */
export function pageReader(usualSize: number): (ask: AskForPage) => Promise<TimelinePage> {
  const sizes = [usualSize, ...SMALLER_SIZES];
  const last = sizes.length - 1;
  let step = 0;
  return async (ask) => {
    for (;;) {
      const startedAt = performance.now();
      try {
        const page = await ask(sizes[step] ?? 1);
        if (!isSkippedPost(page)) step = Math.max(0, step - 1);
        return page;
      } catch (error) {
        if (!isTooLarge(error) || step === last) throw error;
        step = performance.now() - startedAt > SLOW_ANSWER_MS ? last : step + 1;
      }
    }
  };
}

function isSkippedPost({ posts }: TimelinePage): boolean {
  const [post] = posts;
  return posts.length === 1 && post?.ok === false && post.reason === "too_large";
}
