"use client";
import { Button } from "#components/ui/button.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { words } from "#components/words/en.ts";
import type { StreamSettings } from "#lib/streams/settings-schema.ts";
import { AddStreamDialog } from "./add-stream-dialog.tsx";
import { useFetchAll } from "./use-fetch-all.ts";

const w = words.streams;

/** `adding` opens the form. */
export function StreamActions({ defaults, adding }: { defaults: StreamSettings; adding: boolean }) {
  const mayManage = useCan("admin");
  const fetchAll = useFetchAll();
  if (!mayManage) return null;
  return (
    <>
      <Button pending={fetchAll.pending} onClick={() => void fetchAll.run()}>
        {fetchAll.pending ? w.fetching : w.fetchAll}
      </Button>
      <AddStreamDialog key={String(adding)} defaults={defaults} variant="primary" defaultOpen={adding} />
    </>
  );
}
