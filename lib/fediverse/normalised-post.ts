/** A post in the shape of the rest of the service, for every software. JSON, safe for PostgreSQL. */
export interface NormalisedPost {
  /** Canonical ActivityPub URI: the identity of the post (≤ 2048 characters, http or https). */
  uri: string;
  /** Page for people, null where the source gave none that can be opened. */
  url: string | null;
  /** Id on the server that was asked; opaque, differs from server to server. */
  remote_id: string;
  /** True when the server that was asked is the home of the post: only then are content, author and edits believed. */
  from_home: boolean;
  /** Sanitised HTML, safe to put in a page. */
  content_html: string;
  /** The text of the content, one line a block. */
  plain_text: string;
  /** `content_snippet` of the queue item; never empty. */
  snippet: string;
  author: NormalisedAuthor;
  /** Host of the author (with the port where it is not the usual one). */
  instance: string;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  edited_at: string | null;
  /** Always `public`: everything else is refused by the normaliser. */
  visibility: "public";
  /** False when the server sent no visibility but answered an anonymous request. */
  visibility_stated: boolean;
  language: string | null;
  sensitive: boolean;
  /** Content warning, "" when there is none. */
  spoiler_text: string;
  /** As the server wrote them, without `#`, each once. */
  hashtags: string[];
  /** The same, in the same order, through `foldHashtag`. */
  hashtags_folded: string[];
  media: NormalisedMedia[];
  boosts: number;
  likes: number;
  replies: number;
  in_reply_to: string | null;
  /** Always false: boosts are refused by the normaliser. */
  is_reblog: false;
  poll: NormalisedPoll | null;
  quote: NormalisedQuote | null;
  card: NormalisedCard | null;
  emojis: NormalisedEmoji[];
  /** May this post be boosted by anyone (GoToSocial's interaction policy)? Null: the source says nothing. */
  can_announce: boolean | null;
  /** Who may quote it (Mastodon 4.5 and later). Null: the source says nothing. */
  quote_approval: NormalisedApproval | null;
  mentions_count: number;
}

export interface NormalisedAuthor {
  username: string;
  display_name: string;
  /** `@user@host`, the host in lower case. */
  account: string;
  url: string | null;
  avatar_url: string | null;
  is_bot: boolean;
  locked: boolean;
  created_at: string | null;
  /** Profile text as sanitised HTML; null when the source did not send a profile, "" when it is empty. */
  note: string | null;
  /** Profile fields; the value is sanitised HTML. */
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
  /** Who may feature this account in collections. Null: the source says nothing. */
  feature_approval: NormalisedApproval | null;
}

export type MediaType = "image" | "gifv" | "video" | "audio" | "unknown";

export interface NormalisedMedia {
  type: MediaType;
  url: string;
  preview_url: string | null;
  /** Alt text; null when there is none. */
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
  /** People who voted; null where the source does not say. */
  voters: number | null;
}

export interface NormalisedQuote {
  /** `accepted`, `pending`, `rejected`, … as the source says. */
  state: string;
  uri: string | null;
  url: string | null;
  /** `@user@host` of the quoted post. */
  account: string | null;
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

/** Why a status was dropped. */
export type DropReason =
  | "not_an_object"
  | "no_uri"
  | "bad_uri"
  | "no_id"
  | "no_author"
  | "bad_author"
  | "hosts_disagree"
  | "boost"
  | "not_public"
  | "bad_date"
  | "too_large"
  | "unreadable";

export type NormaliseResult =
  { ok: true; post: NormalisedPost } | { ok: false; reason: DropReason; uri: string | null };
