import type { Stream } from "#lib/collect/stream-schema.ts";

/** `#cats on mastodon.social` */
export function streamName(stream: Pick<Stream, "hashtag" | "instance">): string {
  return `#${stream.hashtag} on ${stream.instance}`;
}

/** The posts to review: at the desk, or for viewers in the list. */
export function toReview(streamId: number, mayReview: boolean): string {
  return `${mayReview ? "/review?" : "/posts?reviewed=false&"}stream_id=${streamId}`;
}

/** Whether the stream needs attention: the last fetch failed, or a token is missing. */
export function isFailing({ state }: Pick<Stream, "state">): boolean {
  return state === "failing" || state === "waiting_for_token";
}

export type Intake = Pick<Stream, "active" | "state" | "enable_scheduling" | "next_scheduled_fetch">;

/** Time of the earliest planned fetch. */
export function nextFetchOf(streams: readonly Intake[]): string | undefined {
  return streams
    .flatMap(({ active, enable_scheduling: scheduled, next_scheduled_fetch: at }) =>
      active && scheduled && at !== null ? at : [],
    )
    .sort()[0];
}
