"use client";
import { Button } from "#components/ui/button.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { words } from "#components/words/en.ts";
import { AddStreamDialog } from "./add-stream-dialog.tsx";
import { useFetchAll } from "./use-fetch-all.ts";

const w = words.streams;

/** Fetch all, and a new stream; `adding` when somebody came here for the latter. */
export function StreamActions({ defaultInstance, adding }: { defaultInstance: string; adding: boolean }) {
  const mayManage = useCan("admin");
  const fetchAll = useFetchAll();
  if (!mayManage) return null;
  return (
    <>
      <Button pending={fetchAll.pending} onClick={() => void fetchAll.run()}>
        {fetchAll.pending ? w.fetching : w.fetchAll}
      </Button>
      <AddStreamDialog
        key={String(adding)}
        defaultInstance={defaultInstance}
        variant="primary"
        defaultOpen={adding}
      />
    </>
  );
}
