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
import type { Stream } from "#lib/streams/schema.ts";
import type { StreamSettings } from "#lib/streams/settings-schema.ts";
import { bodyOf, draftOf, hasFieldError, StreamFields } from "./stream-fields.tsx";
import { streamName } from "./stream-name.ts";

const w = words.streams;

export function AddStreamDialog({
  defaults,
  variant = "quiet",
  defaultOpen = false,
}: {
  defaults: StreamSettings;
  variant?: "primary" | "quiet";
  defaultOpen?: boolean;
}) {
  const router = useRouter();
  const [open, setOpen] = useState(defaultOpen);
  const [draft, setDraft] = useState(() => draftOf(defaults));
  const add = useMutation<void, Stream>(
    () => apiFetch("/streams", { method: "POST", body: bodyOf(draft, { isNew: true }) }),
    {
      refresh: ["/streams*", "/stats*"],
      onDone: (stream) => {
        change(false);
        notifyDone(w.added(streamName(stream)));
      },
    },
  );
  function change(next: boolean) {
    setOpen(next);
    add.reset();
    if (next) return;
    if (defaultOpen) router.replace("/streams", { scroll: false });
    setDraft(draftOf(defaults));
  }
  const failure = add.failure;
  const general = failure && !hasFieldError(failure) ? failure.detail : undefined;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
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
          <Button type="submit" form="add-stream" variant="primary" pending={add.pending}>
            {w.add}
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
        <StreamFields draft={draft} onChange={setDraft} failure={failure} isNew general={general} />
      </form>
    </Dialog>
  );
}
