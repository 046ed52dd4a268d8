import type { Stream } from "#lib/collect/stream-schema.ts";
import { isFailing } from "./stream-name.ts";

export type Intake = Pick<Stream, "id" | "active" | "state" | "enable_scheduling" | "next_scheduled_fetch">;

export type IntakeState =
  | { name: "none" | "paused" | "failing"; href: string }
  /** `at`: the next fetch; undefined when streams are fetched by hand only. */
  | { name: "running"; at: string | undefined };

/** Whether posts can come in. */
export function intakeState(streams: readonly Intake[]): IntakeState {
  if (streams.length === 0) return { name: "none", href: "/streams?add=1" };
  const active = streams.filter((stream) => stream.active);
  if (active.length === 0) return { name: "paused", href: "/streams" };
  const failing = active.filter(isFailing);
  if (failing.length === active.length)
    return { name: "failing", href: failing.length === 1 ? `/streams/${failing[0]?.id}` : "/streams" };
  return { name: "running", at: nextFetchOf(active) };
}

/** A new stream, or one after an outage, needs some minutes to read older posts. */
const CATCH_UP_MS = 10 * 60_000;

export function isBehind({ behind_since: since }: Pick<Stream, "behind_since">, now: number): boolean {
  return since !== null && now - Date.parse(since) >= CATCH_UP_MS;
}

/** Time of the earliest planned fetch. */
export function nextFetchOf(streams: readonly Intake[]): string | undefined {
  return streams
    .flatMap(({ active, enable_scheduling: scheduled, next_scheduled_fetch: at }) =>
      active && scheduled && at !== null ? at : [],
    )
    .sort()[0];
}
