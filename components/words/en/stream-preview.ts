import { formatCount, plural } from "#components/words/format.ts";
import type { PreviewProblem } from "#lib/streams/preview-schema.ts";

const perDay = (rate: number) =>
  rate < 1 ? "less than one post a day" : `about ${plural(Math.round(rate), "post", "posts")} a day`;

/** The check of a server in the form of a stream. */
export const streamPreview = {
  check: "Check server",
  checkAgain: "Check again",
  checking: (host: string) => `Asking ${host}`,
  changed: "The form was changed since this check.",
  works: (hashtag: string, host: string) => `#${hashtag} can be read from ${host}`,
  exists: "This stream exists already.",
  openExisting: "Open it",
  software: "Software",
  unknownSoftware: "Not stated",
  token: "Access token",
  tokenNotNeeded: "Not needed",
  tokenStored: "Stored",
  rate: "Estimate",
  rateOf: ({ read, kept }: { read: number; kept: number }) =>
    kept === read ? perDay(kept) : `${perDay(kept)}, of ${formatCount(Math.round(read))} with the hashtag`,
  rateUnknown: "No posts yet, so there is no estimate",
  leftOut: "Skipped",
  leftOutCount: (count: number, read: number) => `${formatCount(count)} of the ${formatCount(read)} newest`,
  known: "Known",
  knownCount: (count: number, read: number) =>
    `${formatCount(count)} of the ${formatCount(read)} newest are stored already`,
  onlyKnown: "All of the newest posts are stored already. The first fetch finds nothing new.",
  posts: "Newest posts",
  postsHint: "As they would be fetched. Nothing is stored yet; pictures appear after the first fetch.",
  noPosts: "The server shows no posts with this hashtag yet. They are fetched when they appear.",
  noneKept: "None of the newest posts would be kept with these settings.",
  warning: "Content warning",
  sensitive: "Sensitive",
  language: (code: string) => `Language: ${code}`,
  noLanguage: "No language",
  media: (count: number, described: number) =>
    `${plural(count, "picture or video", "pictures and videos")}, ${described === count ? "described" : `${formatCount(described)} described`}`,
  noRefusal: "No refusal",
  addAnyway: "Add anyway",
  useSuggested: (host: string) => `Use ${host}`,
  setToken: "Set a token",
  /** The next step, after the sentence about the problem. */
  steps: {
    unknown_name: "Check the spelling of the server.",
    refused: "Only servers on the public internet are asked.",
    waiting: "It is asked again later. The stream can be added now.",
    unreachable: "Try again later, or check the spelling.",
    slow: "Try again, or add the stream: fetches are repeated.",
    redirects: "The domain of the accounts may differ from the server's host name.",
    not_fediverse: "Enter the server of an account, such as mastodon.social.",
    no_timelines: "Choose a server that runs Mastodon, Misskey or similar software.",
    needs_token: "Make a token with an account there, and set it under Settings → Servers.",
    token_refused: "Replace the token under Settings → Servers.",
    hashtag_unknown: "Check the spelling of the hashtag, or choose a larger server.",
    rate_limited: "Try again in a few minutes.",
    server_error: "Try again later. The stream can be added now.",
    unreadable: "Try again later. If it stays so, the software is not supported.",
  } satisfies Record<PreviewProblem, string>,
} as const;
