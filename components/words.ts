import type { StreamSetting, StreamSettings } from "#lib/collect/stream-schema.ts";
import type { HeldReason } from "#lib/queue/holds.ts";

/**
 * Texts that several screens share: states, roles, reasons, scopes. Every other text is where it is shown. Buttons are
 * verbs. One thing has the same name here, in the API and in the log.
 */
type HeldWords = { name: string; howToRelease: string };

type FieldWords<Value> = { label: string; hint?: string } & ([Value] extends [boolean]
  ? { error?: string }
  : { error: string });

export const passwordHint = "At least 10 characters. A short sentence works well.";

export const revokeKeysLabel = (keys: number) =>
  keys === 1 ? "Also revoke my API key" : `Also revoke my ${keys} API keys`;

export const revokeKeysHint =
  "And end the open links that I made. Choose this if another person may have used the account.";

export const handedOutError = "A boost bot already has this post. The decision can no longer be changed.";

const checkNames = {
  rules: "Text rules",
  learner: "Learner",
  picture_explicit: "Explicit pictures",
  picture_suggestive: "Suggestive pictures",
  chat_model: "Chat model",
} as Readonly<Record<string, string>>;

/** Label for the API's name of a check. */
export function checkName(name: string): string {
  return checkNames[name] ?? name.replaceAll("_", " ");
}

export const switchLabels = {
  require_media: "Posts without media",
  require_alt_text: "Pictures without a description",
  auto_reject_blocked_users: "Posts of blocked accounts and domains",
  auto_reject_blocked_hashtags: "Posts with blocked hashtags",
  auto_reject_bots: "Posts of bot accounts",
  deliveries_paused: "Deliveries paused",
} as const;

export const blockKinds = {
  exact: "exactly",
  domain: "a domain",
  suffix: "the end",
  prefix: "the beginning",
  contains: "any part",
} as const;

export const keptKindLabels = {
  rejected: "Rejected posts",
  unreviewed: "Posts without a decision",
  failed: "Failed posts",
  history: "History of deleted posts",
} as const;

export const optOutVerbs = { confirmed: "Confirm opt-out", dismissed: "Not an opt-out" } as const;

export const lifeActions = {
  approve: "Approved",
  reject: "Rejected",
  unreview: "Back to unreviewed",
  auto_reject: "Rejected by a filter",
  confirm: "Confirmed",
  skip: "Skipped",
  unskip: "Skip undone",
  note: "Note changed",
  score: "Spam score changed",
  edit: "Edited by the author",
  batch: "Batch",
  batch_undo: "Batch undone",
  delete: "Deleted",
  reserve: "Reserved",
  ack: "Delivered",
  nack: "Returned, back to pending",
  withdrawn: "Withdrawn after delivery, bots are told",
  error: "Failed",
  requeue: "Requeued",
  error_back: "Back in errors",
  time_out: "Reservation timed out",
  extend: "Reservation extended",
  mark_delivered: "Marked as delivered",
  dismiss: "Error dismissed",
} as Record<string, string>;

export const changedThrough = {
  screen: "in the dashboard",
  api: "by API key",
  filter: "by a filter",
  service: "by Sluice",
} as const;

export const heldReasons = {
  require_media: {
    name: "No media",
    howToRelease: `“${switchLabels.require_media}” are held. Switch that off under Blocking to release them.`,
  },
  require_alt_text: {
    name: "No alt text",
    howToRelease: `“${switchLabels.require_alt_text}” are held. Switch that off under Blocking to release them.`,
  },
  bot: {
    name: "Bot account",
    howToRelease: `“${switchLabels.auto_reject_bots}” are held. Switch that off under Blocking to release them.`,
  },
  blocked_user: {
    name: "Blocked account or domain",
    howToRelease: "Remove the block under Blocking to release them.",
  },
  blocked_hashtag: {
    name: "Blocked hashtag",
    howToRelease: "Remove the block under Blocking to release them.",
  },
  unconfirmed: {
    name: "Unconfirmed",
    howToRelease: "Its own server has not shown it lately. It is asked before the post is next in line.",
  },
  unverifiable: {
    name: "Source cannot be read",
    howToRelease: "Released automatically when the server can be read again.",
  },
  differs: {
    name: "Copies differ",
    howToRelease: "Released after the author's own server has been checked.",
  },
  "opt-out reported": {
    name: "Opt-out reported",
    howToRelease: "A boost bot reported an opt-out. Confirm or dismiss it under Blocking.",
  },
  "no https address": {
    name: "No https address",
    howToRelease: "Boost bots cannot use it. Reject it or leave it.",
  },
} satisfies Record<HeldReason, HeldWords> as Record<string, HeldWords>;

export const reasonAbouts = {
  text: "the text",
  picture: "the pictures",
  both: "text or pictures",
  other: "neither",
} as const;

export const orderLabels = {
  oldest: "Oldest first",
  newest: "Newest first",
  ai_unsure: "Doubts of the checks first",
  author: "Grouped by author",
} as const;

export const decisionNames = { approve: "Approved", reject: "Rejected", skip: "Skipped" } as const;

export const checkResults = {
  reject: "Would reject",
  fine: "No problem",
  unsure: "Doubts",
  not_checked: "Not checked yet",
} as const;

export const pictureCategories = {
  explicit: "Explicit",
  explicit_drawing: "Explicit drawing",
  graphic: "Graphic",
  hateful: "Hateful",
  other_unsafe: "Otherwise unsafe",
  suggestive: "Suggestive",
  uncertain: "Doubts",
  drawing: "Drawing",
  neutral: "Neutral",
  unavailable: "Could not be checked",
  none: "No pictures",
} as Record<string, string>;

export const timedEvents = {
  created: "Posted",
  fetched: "Fetched",
  reviewed: "Reviewed",
  delivered: "Delivered",
  errored: "Failed",
} as Record<string, string>;

export const scopeWords = {
  read: { name: "Read", hint: "Posts, queue, statistics, streams, filters and logs." },
  consume: {
    name: "Consume",
    hint: "Take approved posts and report the result. Boost bots need this.",
  },
  review: { name: "Review", hint: "Approve and reject posts." },
  manage: { name: "Manage", hint: "Change streams, filters and rules, requeue, clean up, delete posts." },
  keys: { name: "Keys", hint: "Generate and revoke keys with at most the same scopes." },
} as const;

export const roles = { admin: "Admin", reviewer: "Reviewer", viewer: "Viewer" } as const;

export const stateLabels = {
  unreviewed: "Unreviewed",
  approved: "Approved",
  rejected: "Rejected",
  auto_rejected: "Rejected by a filter",
  pending: "Pending",
  waiting: "Waiting",
  ready: "Ready for a bot",
  with_bot: "With a bot",
  reserved: "Reserved",
  delivered: "Delivered",
  error: "Failed",
  held: "Held",
  active: "Active",
  checking: "Checking",
  working: "Active",
  waiting_for_token: "Waiting for token",
  paused: "Paused",
  failing: "Failing",
  expired: "Expired",
  disabled: "Disabled",
} as const;

export const streamFields = {
  hashtag: {
    label: "Hashtag",
    hint: "With or without #",
    error: "Enter one hashtag without spaces or signs, such as photography.",
  },
  instance: {
    label: "Server",
    hint: "Host name, such as mastodon.social",
    error: "Enter the name of a server on the public internet, such as mastodon.social.",
  },
  fetch_interval_minutes: {
    label: "Fetched every (minutes)",
    hint: "5 to 1440",
    error: "Enter a whole number of minutes from 5 to 1440.",
  },
  languages: {
    label: "Languages",
    hint: "Codes such as en, de. Leave empty for all languages.",
    error: "Enter language codes such as en or de, at most 50.",
  },
  enable_scheduling: { label: "Fetch on schedule" },
  require_media: { label: "Only posts with media" },
  drop_replies: { label: "Skip replies" },
  consent_policy: { label: "Consent policy", error: "Choose one of the policies." },
} satisfies { [Name in Exclude<StreamSetting, "active">]: FieldWords<StreamSettings[Name]> };

export const consentPolicies = {
  moderate: {
    name: "Moderate",
    hint: "Profile tags such as #nobot and the noindex setting count as refusal. Other signals are shown to reviewers.",
  },
  "opt-in": {
    name: "Opt-in",
    hint: "Only authors who opted in by a tag on their profile.",
  },
} as const;
