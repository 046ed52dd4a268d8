/** A native popover beside its button. Browsers without anchor positioning show it in the middle of the screen. */
export const popover =
  "m-auto rounded-lg border border-line bg-raised text-text shadow-hairline supports-[position-area:end]:inset-auto supports-[position-area:end]:m-1 supports-[position-area:end]:[position-area:end_span-start] supports-[position-area:end]:[position-try-fallbacks:flip-block,flip-inline,flip-block_flip-inline]";
