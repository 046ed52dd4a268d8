import type { DetectedSoftware } from "./detect-software.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { mastodonSource } from "./mastodon-source.ts";
import { misskeySource } from "./misskey-source.ts";
import type { NormaliseResult } from "./normalised-post.ts";
import type { RateSnapshot } from "./rate-headers.ts";

/** Opaque; null: the newest page. */
export type PageCursor = { older_than: string } | { newer_than: string } | null;

export interface TimelinePage {
  /** Newest first, with dropped entries. */
  posts: NormaliseResult[];
  /** Null at the end. */
  older: string | null;
  /** Null on an empty page. */
  newer: string | null;
  rate: RateSnapshot | null;
}

/** One hashtag's timeline on one host. */
export interface HashtagSource {
  readonly software: DetectedSoftware;
  /** Whether `newer_than` returns the page directly above the cursor, not the newest page. */
  readonly pages_forward: boolean;
  readonly page_size: number;
  /** @throws SourceFailure */
  fetchPage(cursor: PageCursor, signal?: AbortSignal): Promise<TimelinePage>;
}

export interface SourceOptions {
  /** Normalised host, with a non-default port. */
  host: string;
  /** Verified; see `NormaliseContext`. */
  domain?: string;
  home?: string;
  /** Without `#`. */
  hashtag: string;
  software: DetectedSoftware;
  /** In clear text. */
  token?: string | null;
  /** Usually `governedRequest(…)`. */
  request: HostRequest;
  now?: () => Date;
  /** Default `ALLOWED_PRIVATE_HOSTS`. */
  allowedOrigins?: readonly string[];
}

export function hashtagSource(options: SourceOptions): HashtagSource {
  return options.software.family === "misskey" ? misskeySource(options) : mastodonSource(options);
}

export function hasId(posts: readonly NormaliseResult[], id: string | null): boolean {
  return id !== null && posts.some((entry) => entry.ok && entry.post.remote_id === id);
}

export function lastId(entries: readonly NormaliseResult[]): string | null {
  const last = entries.findLast((entry) => entry.ok);
  return last?.ok === true ? last.post.remote_id : null;
}

/** The last three posts must be older, because servers insert single old posts late. */
export function liesBefore(posts: readonly NormaliseResult[], time: string | null): boolean {
  const last = posts.flatMap((entry) => (entry.ok ? entry.post.created_at : [])).slice(-3);
  return time !== null && last.length > 0 && last.every((created) => created < time);
}
