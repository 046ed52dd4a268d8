/** A post of any software. JSON, safe for PostgreSQL. */
export interface NormalisedPost {
  /** Identity of the post (≤ 2048 characters, http or https). */
  uri: string;
  url: string | null;
  /** Id on the server that was asked; opaque. */
  remote_id: string;
  /** Only then are content, author and edits believed. */
  from_home: boolean;
  /** Sanitised HTML. */
  content_html: string;
  /** One line for each block. */
  plain_text: string;
  /** `content_snippet`; never empty. */
  snippet: string;
  author: NormalisedAuthor;
  /** With a non-default port. */
  instance: string;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  edited_at: string | null;
  visibility: "public";
  /** False when an anonymous response stated none. */
  visibility_stated: boolean;
  language: string | null;
  sensitive: boolean;
  /** Content warning, or "". */
  spoiler_text: string;
  /** Spelled as in the post, without `#` and duplicates. */
  hashtags: string[];
  /** The same, through `foldHashtag`. */
  hashtags_folded: string[];
  media: NormalisedMedia[];
  boosts: number;
  likes: number;
  replies: number;
  in_reply_to: string | null;
  /** A reply to a post of the same author. */
  is_own_thread: boolean;
  is_reblog: false;
  poll: NormalisedPoll | null;
  quote: NormalisedQuote | null;
  card: NormalisedCard | null;
  emojis: NormalisedEmoji[];
  /** GoToSocial; null when not stated. */
  can_announce: boolean | null;
  /** Mastodon 4.5. */
  quote_approval: NormalisedApproval | null;
  mentions_count: number;
}

export interface NormalisedAuthor {
  username: string;
  display_name: string;
  account: string;
  url: string | null;
  avatar_url: string | null;
  is_bot: boolean;
  locked: boolean;
  created_at: string | null;
  /** Sanitised HTML; null without a profile, "" when empty. */
  note: string | null;
  /** Values are sanitised HTML. */
  fields: { name: string; value: string }[];
  emojis: NormalisedEmoji[];
  noindex: boolean | null;
  indexable: boolean | null;
  discoverable: boolean | null;
  group: boolean;
  limited: boolean;
  suspended: boolean;
  memorial: boolean;
  moved: boolean;
  /** Collections. */
  feature_approval: NormalisedApproval | null;
}

export type MediaType = "image" | "gifv" | "video" | "audio" | "unknown";

export interface NormalisedMedia {
  type: MediaType;
  url: string;
  preview_url: string | null;
  /** Alt text. */
  description: string | null;
  blurhash: string | null;
  width: number | null;
  height: number | null;
}

export interface NormalisedPoll {
  options: { title: string; votes: number | null }[];
  multiple: boolean;
  expires_at: string | null;
  expired: boolean;
  votes: number;
  /** People who voted; null when not stated. */
  voters: number | null;
}

export interface NormalisedQuote {
  /** `accepted`, `pending`, `rejected`, … */
  state: string;
  uri: string | null;
  url: string | null;
  account: string | null;
  /** Display name. */
  name: string | null;
  /** Sanitised HTML. */
  content: string;
  /** Folded, of its list; not stored. */
  tags: string[];
  /** For consent; not stored. */
  author: NormalisedAuthor | null;
}

export interface NormalisedCard {
  url: string;
  title: string;
  description: string;
  type: string;
  provider_name: string;
  image: string | null;
}

export interface NormalisedEmoji {
  shortcode: string;
  url: string;
}

export interface NormalisedApproval {
  automatic: string[];
  manual: string[];
}

export type DropReason =
  | "not_an_object"
  | "no_uri"
  | "bad_uri"
  | "no_id"
  | "no_author"
  | "bad_author"
  | "hosts_disagree"
  | "author_unproven"
  | "boost"
  | "not_public"
  | "bad_date"
  | "too_large"
  | "unreadable";

export type NormaliseResult =
  | { ok: true; post: NormalisedPost }
  | {
      ok: false;
      reason: DropReason;
      uri: string | null;
      /** The post's own server says so. */
      from_home?: boolean;
      /** From the post's own server: the author, if it was read and is one of this server. */
      author?: NormalisedAuthor;
      /** With `hosts_disagree`: usable if the author's domain is that of the post's server (lib/fediverse/account-domain.ts). */
      unproven?: NormalisedPost;
    };
