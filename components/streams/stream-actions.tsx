"use client";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { useApi } from "#lib/client/use-api.ts";
import type { StreamSettings } from "#lib/collect/settings-schema.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import { AddStreamDialog } from "./add-stream-dialog.tsx";
import { useFetchAll } from "./use-fetch-all.ts";

export interface StreamsPageProps {
  streams: { items: Stream[] };
  defaults: StreamSettings;
  /** The form is open at first. */
  adding: boolean;
}

/** Without streams, the empty list has the button. */
export function StreamActions({ streams, defaults, adding }: StreamsPageProps) {
  const mayManage = useCan("admin");
  const fetchAll = useFetchAll();
  const { data = streams } = useApi<{ items: Stream[] }>("/streams?limit=1000", { fallback: streams });
  if (!mayManage || data.items.length === 0) return null;
  return (
    <>
      <Button pending={fetchAll.pending} onClick={() => void fetchAll.run()}>
        {fetchAll.pending ? "Fetching" : "Fetch all"}
      </Button>
      <AddStreamDialog key={String(adding)} defaults={defaults} variant="primary" defaultOpen={adding} />
    </>
  );
}
