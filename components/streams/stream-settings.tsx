"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { Stream } from "#lib/streams/schema.ts";
import { bodyOf } from "./add-stream-dialog.tsx";
import { StreamFields, type StreamDraft } from "./stream-fields.tsx";

const w = words.streams;

/** The settings of a stream that exists. */
export function StreamSettings({ stream }: { stream: Stream }) {
  const [draft, setDraft] = useState<StreamDraft>({
    fetch_interval_minutes: String(stream.fetch_interval_minutes),
    enable_scheduling: stream.enable_scheduling,
    require_media: stream.require_media,
    drop_replies: stream.drop_replies,
    languages: stream.languages.join(", "),
    consent_policy: stream.consent_policy,
  });
  const save = useMutation<void, Stream>(
    () => apiFetch(`/streams/${stream.id}`, { method: "PATCH", body: bodyOf(draft) }),
    {
      refresh: ["/streams*"],
      onDone: () => notifyDone(words.common.saved),
      // What belongs to a field is told there.
      onFailed: (failure) => {
        if (failure.errors.length === 0) notifyFailed(w.refused, failure);
      },
    },
  );
  return (
    <Panel title={w.settings} description={w.settingsHint}>
      <form
        className="max-w-2xl space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <StreamFields draft={draft} onChange={setDraft} failure={save.failure} />
        <Button type="submit" variant="primary" pending={save.pending}>
          {words.common.save}
        </Button>
      </form>
    </Panel>
  );
}
