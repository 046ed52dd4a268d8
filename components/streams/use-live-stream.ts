"use client";
import { useState } from "react";
import { useApi } from "#lib/client/use-api.ts";
import type { FetchRun, Stream } from "#lib/collect/stream-schema.ts";

const CALM_MS = 15_000;
const BUSY_MS = 1_000;

export const isRunning = (run: FetchRun | undefined) =>
  run !== undefined && run.finished_at === null && run.error === null;

/** Refreshed every second while the stream is fetched or waits for its first fetch. */
export function useLiveStream(rendered: Stream, renderedRuns: FetchRun[]) {
  const path = `/streams/${rendered.id}`;
  const [refreshEvery, setRefresh] = useState(BUSY_MS);
  const stream = useApi<Stream>(path, { fallback: rendered, refreshEvery }).data ?? rendered;
  const runs =
    useApi<{ items: FetchRun[] }>(`${path}/runs`, { fallback: { items: renderedRuns }, refreshEvery }).data
      ?.items ?? renderedRuns;
  const isBusy = isRunning(runs[0]) || (stream.state === "checking" && stream.next_scheduled_fetch !== null);
  const wanted = isBusy ? BUSY_MS : CALM_MS;
  if (wanted !== refreshEvery) setRefresh(wanted);
  return { stream, runs };
}
