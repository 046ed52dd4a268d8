"use client";
import { Download } from "lucide-react";
import { useRouter } from "next/navigation";
import { formatCount, plural } from "#components/format.ts";
import { Button } from "#components/ui/button.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { FetchAllResult, FetchResult, Stream } from "#lib/collect/stream-schema.ts";
import { streamName } from "./stream-name.ts";

// These call the API: a fetch takes up to 25 seconds, and Next runs server actions one after the other.

export function useFetchAll() {
  const router = useRouter();
  return useMutation<void, FetchAllResult>(() => apiFetch("/streams/fetch-all", { method: "POST" }), {
    onDone: (result) => {
      router.refresh();
      const seen = result.streams.reduce((sum, stream) => sum + stream.seen, 0);
      const parts = [`${formatCount(result.new)} new of ${formatCount(seen)} read`];
      if (result.errors > 0) parts.push(`${formatCount(result.errors)} with errors`);
      if (result.pending > 0)
        parts.push(`${plural(result.pending, "stream continues", "streams continue")} in the background`);
      notifyDone("Streams fetched", { description: parts.join(" · ") });
    },
    onFailed: (failure) => notifyFailed("The change failed", failure),
  });
}

export function FetchAllButton() {
  const { run, pending } = useFetchAll();
  return (
    <Button pending={pending} onClick={() => void run()}>
      {pending ? "Fetching" : "Fetch all"}
    </Button>
  );
}

type Fetched = Pick<Stream, "id" | "hashtag" | "instance" | "active">;

export function FetchButton({ stream, size = "sm" }: { stream: Fetched; size?: "sm" | "md" }) {
  const name = streamName(stream);
  const router = useRouter();
  const { run, pending } = useMutation<void, FetchResult>(
    () => apiFetch(`/streams/${stream.id}/fetch`, { method: "POST" }),
    {
      onDone: (result) => {
        router.refresh();
        const found = `${formatCount(result.new)} new of ${formatCount(result.seen)} read`;
        notifyDone(`${name} fetched`, {
          description: result.cursor_at_end ? found : `${found}. The server has more.`,
        });
      },
      onFailed: (failure) => {
        notifyFailed(`${name} could not be fetched`, failure);
        // The stream has the error now.
        router.refresh();
      },
    },
  );
  return (
    <Button
      size={size}
      icon={<Download aria-hidden />}
      pending={pending}
      disabled={!stream.active}
      onClick={() => void run()}
    >
      {pending ? "Fetching" : "Fetch now"}
    </Button>
  );
}
