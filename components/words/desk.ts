// The words that the desk loads first, and no others: what one module of a page names, all of its pages carry.
export { common } from "./en/common.ts";
export { media } from "./en/media.ts";
export { post } from "./en/post.ts";
export { review } from "./en/review.ts";
export { shell } from "./en/shell.ts";
export { states } from "./en/states.ts";
