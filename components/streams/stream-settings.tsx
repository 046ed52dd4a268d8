"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import { bodyOf, draftOf, StreamFields, type FormPart } from "./stream-fields.tsx";

export function StreamSettings({ stream }: { stream: Stream }) {
  const [draft, setDraft] = useState(() => draftOf(stream));
  const parts: FormPart[] = stream.source_fixed ? ["existing"] : ["source", "existing"];
  const save = useMutation<void>(
    () => apiFetch(`/streams/${stream.id}`, { method: "PATCH", body: bodyOf(draft, parts) }),
    {
      refresh: ["/streams*"],
      onDone: () => notifyDone("Saved"),
      onFailed: (failure) => {
        if (failure.errors.length === 0) notifyFailed("The change failed", failure);
      },
    },
  );
  return (
    <Panel
      title="Settings"
      description={
        stream.source_fixed
          ? "They apply from the next fetch."
          : "They apply from the next fetch. Hashtag and server can be corrected until the first post is stored."
      }
    >
      <form
        className="max-w-2xl space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <StreamFields draft={draft} onChange={setDraft} failure={save.failure} parts={parts} />
        <Button type="submit" variant="primary" pending={save.pending}>
          Save
        </Button>
      </form>
    </Panel>
  );
}
