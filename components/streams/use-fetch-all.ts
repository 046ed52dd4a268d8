"use client";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { formatCount } from "#components/words/format.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { FetchAllResult } from "#lib/collect/stream-schema.ts";

const w = words.streams;

export function useFetchAll() {
  return useMutation<void, FetchAllResult>(() => apiFetch("/streams/fetch-all", { method: "POST" }), {
    refresh: ["/streams*", "/posts*", "/stats*"],
    onDone: (result) => {
      const seen = result.streams.reduce((sum, stream) => sum + stream.seen, 0);
      const parts = [w.found(formatCount(result.new), formatCount(seen))];
      if (result.errors > 0) parts.push(w.withErrors(formatCount(result.errors)));
      if (result.pending > 0) parts.push(w.onTheWay(formatCount(result.pending)));
      notifyDone(w.fetchedAll, { description: parts.join(" · ") });
    },
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
}
