"use client";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { formatCount } from "#components/format.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { FetchAllResult } from "#lib/collect/stream-schema.ts";

export function useFetchAll() {
  return useMutation<void, FetchAllResult>(() => apiFetch("/streams/fetch-all", { method: "POST" }), {
    refresh: ["/streams*", "/posts*", "/stats*"],
    onDone: (result) => {
      const seen = result.streams.reduce((sum, stream) => sum + stream.seen, 0);
      const parts = [`${formatCount(result.new)} new of ${formatCount(seen)} read`];
      if (result.errors > 0) parts.push(`${formatCount(result.errors)} with errors`);
      if (result.pending > 0) parts.push(`${formatCount(result.pending)} streams continue in the background`);
      notifyDone("Streams fetched", { description: parts.join(" · ") });
    },
    onFailed: (failure) => notifyFailed("The change failed", failure),
  });
}
