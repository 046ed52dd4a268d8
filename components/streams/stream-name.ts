import type { Stream } from "#lib/streams/schema.ts";

/** `#cats on mastodon.social` */
export function streamName(stream: Pick<Stream, "hashtag" | "instance">): string {
  return `#${stream.hashtag} on ${stream.instance}`;
}
