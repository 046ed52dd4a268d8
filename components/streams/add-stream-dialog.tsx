"use client";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { StreamSettings } from "#lib/collect/settings-schema.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import { bodyOf, draftOf, StreamFields, type StreamDraft } from "./stream-fields.tsx";
import { streamName } from "./stream-name.ts";

export interface AddStreamProps {
  defaults: StreamSettings;
  variant?: "primary" | "quiet";
  defaultOpen?: boolean;
}

/** Leads to the page of the new stream, which shows its first fetch. */
export function AddStreamDialog({ defaults, variant = "quiet", defaultOpen = false }: AddStreamProps) {
  const [open, setOpen] = useState(defaultOpen);
  const [draft, setDraft] = useState(() => draftOf(defaults));
  const router = useRouter();
  const add = useMutation<void, Stream>(
    () => apiFetch("/streams", { method: "POST", body: bodyOf(draft, ["source", "new"]) }),
    {
      refresh: ["/streams*", "/stats*"],
      onDone: (stream) => {
        change(false);
        notifyDone(`${streamName(stream)} added`);
        // For an installation without a worker. A worker may start the fetch first; the stream's page shows both.
        if (stream.enable_scheduling)
          void apiFetch(`/streams/${stream.id}/fetch`, { method: "POST" }).catch(() => undefined);
        router.push(`/streams/${stream.id}`);
      },
    },
  );
  function change(next: boolean) {
    setOpen(next);
    if (!next && defaultOpen) router.replace("/streams", { scroll: false });
    edit(draftOf(defaults));
  }
  function edit(next: StreamDraft) {
    setDraft(next);
    add.reset();
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      width="lg"
      title="Add a stream"
      description="Each server knows only some posts with a hashtag. The same hashtag on two servers is two streams."
      trigger={
        <Button variant={variant} icon={<Plus aria-hidden />}>
          Add stream
        </Button>
      }
      footer={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button type="submit" form="add-stream" variant="primary" pending={add.pending}>
            Add stream
          </Button>
        </>
      }
    >
      <form
        id="add-stream"
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void add.run();
        }}
      >
        <StreamFields draft={draft} onChange={edit} failure={add.failure} parts={["source"]} general />
        <StreamFields draft={draft} onChange={edit} failure={add.failure} parts={["new"]} />
      </form>
    </Dialog>
  );
}
