import type { DetectedSoftware } from "./detect-software.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import type { NormaliseResult } from "./normalise-status.ts";
import type { RateSnapshot } from "./rate-headers.ts";

/** Opaque; null for the newest page. */
export type PageCursor = { older_than: string } | null;

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
  /** @throws RemoteError */
  fetchPage(cursor: PageCursor, signal?: AbortSignal): Promise<TimelinePage>;
}

export interface SourceOptions {
  /** Normalised host, with a non-default port. */
  host: string;
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

function idOf(entry: NormaliseResult): string | null {
  return entry.ok ? entry.post.remote_id : null;
}

export function lastId(entries: readonly NormaliseResult[]): string | null {
  const last = entries.findLast((entry) => idOf(entry) !== null);
  return last === undefined ? null : idOf(last);
}

/** Servers insert single old posts late, so that one old post says nothing about those below it. */
const TAIL = 3;

/** Creation times of the last three posts of pages that follow each other. */
export function tailOf(before: readonly string[], posts: readonly NormaliseResult[]): string[] {
  return [...before, ...posts.flatMap((entry) => (entry.ok ? entry.post.created_at : []))].slice(-TAIL);
}

export function liesBefore(tail: readonly string[], time: string | null): boolean {
  return time !== null && tail.length === TAIL && tail.every((created) => created < time);
}
