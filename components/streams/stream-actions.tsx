"use client";
import { Button } from "#components/ui/button.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { FetchAllResult } from "#lib/streams/schema.ts";
import { AddStreamDialog } from "./add-stream-dialog.tsx";

const w = words.streams;

/** Fetch all, and a new stream. */
export function StreamActions({ defaultInstance }: { defaultInstance: string }) {
  const mayManage = useCan("admin");
  const fetchAll = useMutation<void, FetchAllResult>(
    () => apiFetch("/streams/fetch-all", { method: "POST" }),
    {
      refresh: ["/streams*", "/posts*", "/stats*"],
      onDone: (result) => {
        const seen = result.streams.reduce((sum, stream) => sum + stream.seen, 0);
        const parts = [w.found(formatCount(result.new), formatCount(seen))];
        if (result.errors > 0) parts.push(w.withErrors(formatCount(result.errors)));
        if (result.pending > 0) parts.push(w.onTheWay(formatCount(result.pending)));
        notifyDone(w.fetchedAll, { description: parts.join(" · ") });
      },
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
  if (!mayManage) return null;
  return (
    <>
      <Button pending={fetchAll.pending} onClick={() => void fetchAll.run()}>
        {fetchAll.pending ? w.fetching : w.fetchAll}
      </Button>
      <AddStreamDialog defaultInstance={defaultInstance} variant="primary" />
    </>
  );
}
