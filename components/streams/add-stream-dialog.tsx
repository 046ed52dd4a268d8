"use client";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { StreamPreview } from "#lib/streams/preview-schema.ts";
import type { Stream } from "#lib/streams/schema.ts";
import type { StreamSettings } from "#lib/streams/settings-schema.ts";
import { PreviewPanel } from "./preview-panel.tsx";
import { bodyOf, draftOf, StreamFields, type StreamDraft } from "./stream-fields.tsx";
import { streamName } from "./stream-name.ts";

const w = words.streams;
const p = words.streamPreview;

export interface AddStreamProps {
  defaults: StreamSettings;
  variant?: "primary" | "quiet";
  defaultOpen?: boolean;
}

/** The server is checked first; the second press of the main button adds the stream. */
export function AddStreamDialog({ defaults, variant = "quiet", defaultOpen = false }: AddStreamProps) {
  const [open, setOpen] = useState(defaultOpen);
  const form = useAddStream(defaults, () => change(false));
  const router = useRouter();
  function change(next: boolean) {
    setOpen(next);
    if (!next && defaultOpen) router.replace("/streams", { scroll: false });
    form.reset();
  }
  const { draft, lookup, add, isChecked } = form;
  const failure = add.failure ?? lookup.failure;
  const preview = lookup.done;
  const works = isChecked && preview?.works === true;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      width="lg"
      title={w.addTitle}
      description={w.addHint}
      trigger={
        <Button variant={variant} icon={<Plus aria-hidden />}>
          {w.add}
        </Button>
      }
      footer={
        <>
          <Button onClick={() => change(false)}>{words.common.cancel}</Button>
          {isChecked ? (
            <Button onClick={() => void form.check()} pending={lookup.pending}>
              {p.checkAgain}
            </Button>
          ) : null}
          <Button
            type="submit"
            form="add-stream"
            variant={isChecked && !works ? "quiet" : "primary"}
            pending={isChecked ? add.pending : lookup.pending}
            disabled={isChecked && preview?.existing_stream_id != null}
          >
            {!isChecked ? p.check : works ? w.add : p.addAnyway}
          </Button>
        </>
      }
    >
      <form
        id="add-stream"
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void (isChecked ? add.run() : form.check());
        }}
      >
        <StreamFields draft={draft} onChange={form.edit} failure={failure} parts={["source"]} general />
        <PreviewPanel
          host={String(draft.instance)}
          pending={lookup.pending}
          preview={preview}
          isStale={preview !== undefined && !isChecked}
          onUse={(host) => void form.check({ ...draft, instance: host })}
        />
        <StreamFields draft={draft} onChange={form.edit} failure={failure} parts={["new"]} />
      </form>
    </Dialog>
  );
}

function useAddStream(defaults: StreamSettings, onAdded: () => void) {
  const router = useRouter();
  const [draft, setDraft] = useState(() => draftOf(defaults));
  const [checked, setChecked] = useState<{ draft: StreamDraft; preview: StreamPreview }>();
  const bodyFor = (values: StreamDraft) => bodyOf(values, ["source", "new"]);
  const lookup = useMutation<StreamDraft, StreamPreview>(
    (values) => apiFetch("/streams/preview", { method: "POST", body: bodyFor(values) }),
    { onDone: (preview, values) => setChecked({ draft: values, preview }) },
  );
  const add = useMutation<void, Stream>(
    () => apiFetch("/streams", { method: "POST", body: bodyFor(draft) }),
    {
      refresh: ["/streams*", "/stats*"],
      onDone: (stream) => {
        onAdded();
        notifyDone(w.added(streamName(stream)));
        // Also where no worker runs. The worker may be faster, and the stream's page shows either.
        if (stream.enable_scheduling)
          void apiFetch(`/streams/${stream.id}/fetch`, { method: "POST" }).catch(() => undefined);
        router.push(`/streams/${stream.id}`);
      },
    },
  );
  return {
    draft,
    add,
    lookup: { ...lookup, done: checked?.preview },
    /** Whether the preview is of the form as it is now. */
    isChecked:
      checked !== undefined && JSON.stringify(bodyFor(checked.draft)) === JSON.stringify(bodyFor(draft)),
    edit: (next: StreamDraft) => {
      setDraft(next);
      add.reset();
      lookup.reset();
    },
    check: (values = draft) => {
      setDraft(values);
      add.reset();
      return lookup.run(values);
    },
    reset: () => {
      setDraft(draftOf(defaults));
      setChecked(undefined);
      add.reset();
      lookup.reset();
    },
  };
}
