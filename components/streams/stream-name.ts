import type { Stream } from "#lib/streams/schema.ts";

/** `#cats on mastodon.social` */
export function streamName(stream: Pick<Stream, "hashtag" | "instance">): string {
  return `#${stream.hashtag} on ${stream.instance}`;
}

export function streamState(stream: Pick<Stream, "active" | "last_error">): "active" | "paused" | "failing" {
  if (!stream.active) return "paused";
  return stream.last_error === null ? "active" : "failing";
}

/** 0–100; null before the first decision. */
export function approvalRate(
  stream: Pick<Stream, "post_count" | "approved_count" | "rejected_count">,
): number | null {
  if (stream.approved_count + stream.rejected_count === 0) return null;
  return (100 * stream.approved_count) / stream.post_count;
}
