// Texts of the desk's first load: a module used by one page is part of all its chunks.
export { common } from "./en/common.ts";
export { media } from "./en/media.ts";
export { post } from "./en/post.ts";
export { review } from "./en/review.ts";
export { shell } from "./en/shell.ts";
export { states } from "./en/states.ts";
