"use client";
import { useSWRConfig } from "swr";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { formatCount } from "#components/words/format.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { FetchResult, Stream } from "#lib/collect/stream-schema.ts";
import { streamName } from "./stream-name.ts";

const w = words.streams;

export function useFetchStream() {
  const { mutate } = useSWRConfig();
  return useMutation<Stream, FetchResult>(
    (stream) => apiFetch(`/streams/${stream.id}/fetch`, { method: "POST" }),
    {
      refresh: ["/streams*", "/posts*", "/stats*"],
      onDone: (result, stream) => {
        const found =
          result.new > 0
            ? w.found(formatCount(result.new), formatCount(result.seen))
            : result.duplicates > 0
              ? w.onlyKnown(result.duplicates)
              : w.nothingNew;
        notifyDone(w.fetched(streamName(stream)), {
          description: result.cursor_at_end ? found : `${found}. ${w.moreWaits}`,
        });
      },
      onFailed: (failure, stream) => {
        notifyFailed(w.fetchFailed(streamName(stream)), failure);
        // The stream has the error now.
        void mutate((key) => typeof key === "string" && key.startsWith("/streams"));
      },
    },
  );
}
