// The words of all screens, to be imported as a namespace where weight counts: see en.ts.
export { auth } from "./en/auth.ts";
export { author } from "./en/author.ts";
export { common } from "./en/common.ts";
export { docs } from "./en/docs.ts";
export { filters } from "./en/filters.ts";
export { home } from "./en/home.ts";
export { media } from "./en/media.ts";
export { palette } from "./en/palette.ts";
export { post } from "./en/post.ts";
export { queue } from "./en/queue.ts";
export { review } from "./en/review.ts";
export { settings } from "./en/settings.ts";
export { shell } from "./en/shell.ts";
export { states } from "./en/states.ts";
export { statistics } from "./en/statistics.ts";
export { streams } from "./en/streams.ts";
export { topical } from "./en/topical.ts";
