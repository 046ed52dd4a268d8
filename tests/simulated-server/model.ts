import type { Picture } from "./pictures.ts";
import type { Language, Theme } from "./texts.ts";

/** Which server is played. The quirks of each are those of fediverse.md §2. */
export const SOFTWARE = ["mastodon", "gotosocial", "pleroma", "pixelfed", "misskey"] as const;
export type Software = (typeof SOFTWARE)[number];

export interface SimAuthor {
  id: string;
  username: string;
  /** Null: an account of this server. */
  host: string | null;
  display_name: string;
  /** Bio, one paragraph a line; words with `#` become links. */
  bio: string;
  fields: { name: string; value: string }[];
  created_at: Date;
  bot: boolean;
  locked: boolean;
  group: boolean;
  /** Undefined: the server does not send it. */
  noindex?: boolean;
  indexable?: boolean;
  discoverable?: boolean;
  moved: boolean;
  memorial: boolean;
  suspended: boolean;
}

export interface SimMedia {
  id: string;
  type: "image" | "gifv" | "video" | "audio";
  /** The picture itself, or the poster of a video. Null for audio. */
  picture: Picture | null;
  alt: string | null;
}

export interface SimPoll {
  options: { title: string; votes: number }[];
  multiple: boolean;
  expires_at: Date;
}

export interface SimPost {
  /** Position in the order of arrival. */
  seq: number;
  /** Opaque, in the form of this software. */
  id: string;
  uuid: string;
  /** What this post is there to show, e.g. `poll` or `picture_without_alt`. */
  kind: string;
  author: SimAuthor;
  created_at: Date;
  edited_at: Date | null;
  language: Language | null;
  theme: Theme;
  paragraphs: string[];
  hashtags: string[];
  link: string | null;
  mentions: SimAuthor[];
  spoiler: string;
  sensitive: boolean;
  visibility: "public" | "unlisted" | "private" | "direct";
  media: SimMedia[];
  poll: SimPoll | null;
  quote: SimPost | null;
  reply_to: SimPost | null;
  boost_of: SimPost | null;
  /** The link shows a preview card. */
  card: boolean;
  boosts: number;
  likes: number;
  replies: number;
  /** GoToSocial: may everybody boost it? */
  can_announce: boolean | null;
  /** Keys left out of the answer, as partial servers do. */
  omitted: string[];
  /** Deleted: 410 or 404 when asked for, and in no timeline. */
  deleted: "gone" | "missing" | null;
  /** Addresses of a post that came from another server. */
  origin: { uri: string; url: string } | null;
  /** Merged into the rendered status last: whatever a test wants to send. */
  raw: Readonly<Record<string, unknown>>;
}
