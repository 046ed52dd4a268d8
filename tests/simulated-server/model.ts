import type { Picture } from "./pictures.ts";
import type { Language, Theme } from "./texts.ts";

/** docs/fediverse.md describes the differences. */
export const SOFTWARE = ["mastodon", "gotosocial", "pleroma", "pixelfed", "misskey"] as const;
export type Software = (typeof SOFTWARE)[number];

export interface SimAuthor {
  id: string;
  username: string;
  /** Null for a local account. */
  host: string | null;
  display_name: string;
  /** One paragraph per line; words with `#` become links. */
  bio: string;
  fields: { name: string; value: string }[];
  created_at: Date;
  bot: boolean;
  locked: boolean;
  group: boolean;
  /** Undefined: not sent. */
  noindex?: boolean;
  indexable?: boolean;
  discoverable?: boolean;
  moved: boolean;
}

export interface SimMedia {
  id: string;
  type: "image" | "gifv" | "video" | "audio";
  /** The picture or a video's poster; null for audio. */
  picture: Picture | null;
  alt: string | null;
}

export interface SimPoll {
  options: { title: string; votes: number }[];
  multiple: boolean;
  expires_at: Date;
}

export interface SimPost {
  seq: number;
  id: string;
  uuid: string;
  /** E.g. `poll` or `picture_without_alt`. */
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
  card: boolean;
  boosts: number;
  likes: number;
  replies: number;
  /** GoToSocial: whether everyone may boost it. */
  can_announce: boolean | null;
  /** Keys left out, as on partial servers. */
  omitted: string[];
  /** 410 or 404, and not in timelines. */
  deleted: "gone" | "missing" | null;
  /** Set for a post of another server. */
  origin: { uri: string; url: string } | null;
  /** Merged into the rendered status last. */
  raw: Readonly<Record<string, unknown>>;
}
