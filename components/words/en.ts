import { auth } from "./en/auth.ts";
import { author } from "./en/author.ts";
import { common } from "./en/common.ts";
import { docs } from "./en/docs.ts";
import { filters } from "./en/filters.ts";
import { home } from "./en/home.ts";
import { media } from "./en/media.ts";
import { palette } from "./en/palette.ts";
import { post } from "./en/post.ts";
import { queue } from "./en/queue.ts";
import { review } from "./en/review.ts";
import { settings } from "./en/settings.ts";
import { shell } from "./en/shell.ts";
import { states } from "./en/states.ts";
import { statistics } from "./en/statistics.ts";
import { streams } from "./en/streams.ts";
import { topical } from "./en/topical.ts";

/**
 * Every word of the screens, one file a screen: `words.queue.title`. Verbs on buttons, no "please", no
 * exclamation marks, no praise; the same thing has the same name here, in the API and in the log.
 */
export const words = {
  common,
  shell,
  states,
  media,
  home,
  review,
  post,
  author,
  queue,
  streams,
  filters,
  topical,
  statistics,
  settings,
  palette,
  auth,
  docs,
} as const;
