import type { Stream } from "#lib/streams/schema.ts";

/** `#cats on mastodon.social` */
export function streamName(stream: Pick<Stream, "hashtag" | "instance">): string {
  return `#${stream.hashtag} on ${stream.instance}`;
}

export function streamState(stream: Pick<Stream, "active" | "last_error">): "active" | "paused" | "failing" {
  if (!stream.active) return "paused";
  return stream.last_error === null ? "active" : "failing";
}
