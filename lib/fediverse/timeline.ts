import type { DetectedSoftware } from "./detect-software.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { mastodonSource } from "./mastodon-source.ts";
import { misskeySource } from "./misskey-source.ts";
import type { NormaliseResult } from "./normalised-post.ts";
import type { RateSnapshot } from "./rate-headers.ts";

/** A position in a timeline; opaque. Null: the newest page. */
export type PageCursor = { older_than: string } | { newer_than: string } | null;

export interface TimelinePage {
  /** Newest first, dropped ones included with their reason. */
  posts: NormaliseResult[];
  /** Cursor of the next page backwards; null when there is nothing older. */
  older: string | null;
  /** Cursor of the newest entry of this page; null when the page is empty. */
  newer: string | null;
  /** The rate limit of the host. */
  rate: RateSnapshot | null;
}

/** One hashtag's timeline on one host. Every adapter implements this and nothing else. */
export interface HashtagSource {
  readonly software: DetectedSoftware;
  /**
   * True when `newer_than` gives the page right above the cursor, so that reading forward leaves no gap. False: it
   * gives the newest page; read backwards from there until a known post appears.
   */
  readonly pages_forward: boolean;
  /** Most entries of one page. */
  readonly page_size: number;
  /** @throws SourceFailure */
  fetchPage(cursor: PageCursor, signal?: AbortSignal): Promise<TimelinePage>;
}

export interface SourceOptions {
  /** Normalised host, with a port where it is not the usual one. */
  host: string;
  /** Without `#`. */
  hashtag: string;
  software: DetectedSoftware;
  /** The stored token in clear, for hosts that demand one. */
  token?: string | null;
  /** Usually `governedRequest(…)`. */
  request: HostRequest;
  now?: () => Date;
  /** Default `ALLOWED_PRIVATE_HOSTS`. */
  allowedOrigins?: readonly string[];
}

/** The adapter for this software. */
export function hashtagSource(options: SourceOptions): HashtagSource {
  return options.software.family === "misskey" ? misskeySource(options) : mastodonSource(options);
}

/** Whether a page shows the post with this id. */
export function hasId(posts: readonly NormaliseResult[], id: string | null): boolean {
  return id !== null && posts.some((entry) => entry.ok && entry.post.remote_id === id);
}

/** Id of the last entry that has one. */
export function lastId(entries: readonly NormaliseResult[]): string | null {
  const last = entries.findLast((entry) => entry.ok);
  return last?.ok === true ? last.post.remote_id : null;
}

/**
 * Whether a page, newest first, ends before a time. Its last three posts must all be older: servers insert
 * single old posts that they just received.
 */
export function liesBefore(posts: readonly NormaliseResult[], time: string | null): boolean {
  const last = posts.flatMap((entry) => (entry.ok ? entry.post.created_at : [])).slice(-3);
  return time !== null && last.length > 0 && last.every((created) => created < time);
}
