"use client";
import { useSWRConfig } from "swr";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { formatCount } from "#components/format.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { FetchResult, Stream } from "#lib/collect/stream-schema.ts";
import { streamName } from "./stream-name.ts";

export function useFetchStream() {
  const { mutate } = useSWRConfig();
  return useMutation<Stream, FetchResult>(
    (stream) => apiFetch(`/streams/${stream.id}/fetch`, { method: "POST" }),
    {
      refresh: ["/streams*", "/posts*", "/stats*"],
      onDone: (result, stream) => {
        const found =
          result.new > 0
            ? `${formatCount(result.new)} new of ${formatCount(result.seen)} read`
            : result.duplicates > 0
              ? result.duplicates === 1
                ? "Nothing new: the post was stored already"
                : `Nothing new: all ${result.duplicates} posts were stored already`
              : "Nothing new";
        notifyDone(`${streamName(stream)} fetched`, {
          description: result.cursor_at_end ? found : `${found}. The server has more.`,
        });
      },
      onFailed: (failure, stream) => {
        notifyFailed(`${streamName(stream)} could not be fetched`, failure);
        // The stream has the error now.
        void mutate((key) => typeof key === "string" && key.startsWith("/streams"));
      },
    },
  );
}
