"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import { bodyOf, draftOf, StreamFields, type FormPart } from "./stream-fields.tsx";

const w = words.streams;

export function StreamSettings({ stream }: { stream: Stream }) {
  const [draft, setDraft] = useState(() => draftOf(stream));
  const parts: FormPart[] = stream.source_fixed ? ["existing"] : ["source", "existing"];
  const save = useMutation<void>(
    () => apiFetch(`/streams/${stream.id}`, { method: "PATCH", body: bodyOf(draft, parts) }),
    {
      refresh: ["/streams*"],
      onDone: () => notifyDone(words.common.saved),
      onFailed: (failure) => {
        if (failure.errors.length === 0) notifyFailed(w.refused, failure);
      },
    },
  );
  return (
    <Panel
      title={w.settings}
      description={stream.source_fixed ? w.settingsHint : `${w.settingsHint} ${w.sourceHint}`}
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
          {words.common.save}
        </Button>
      </form>
    </Panel>
  );
}
