import type { Stream } from "#lib/collect/stream-schema.ts";

/** `#cats on mastodon.social` */
export function streamName(stream: Pick<Stream, "hashtag" | "instance">): string {
  return `#${stream.hashtag} on ${stream.instance}`;
}

/** Needs a person: the last fetch failed, or a token is missing. */
export function isFailing({ state }: Pick<Stream, "state">): boolean {
  return state === "failing" || state === "waiting_for_token";
}
