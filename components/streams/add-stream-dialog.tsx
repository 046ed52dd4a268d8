"use client";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { Stream } from "#lib/streams/schema.ts";
import { StreamFields, type StreamDraft } from "./stream-fields.tsx";
import { streamName } from "./stream-name.ts";

const w = words.streams;
const fresh: StreamDraft = {
  fetch_interval_minutes: "60",
  enable_scheduling: true,
  require_media: false,
  drop_replies: false,
  languages: "",
  consent_policy: "moderate",
};

/** The fields of a stream as the API takes them. */
export function bodyOf(draft: StreamDraft) {
  return {
    ...draft,
    fetch_interval_minutes: Number(draft.fetch_interval_minutes),
    languages: draft.languages.split(/[\s,]+/).filter(Boolean),
  };
}

/** A form for a new stream; two fields are enough, the rest has defaults. */
export function AddStreamDialog({
  defaultInstance,
  variant = "quiet",
  defaultOpen = false,
}: {
  defaultInstance: string;
  variant?: "primary" | "quiet";
  /** The address asked for it; closing takes that out of the address. */
  defaultOpen?: boolean;
}) {
  const router = useRouter();
  const [open, setOpen] = useState(defaultOpen);
  const [hashtag, setHashtag] = useState("");
  const [instance, setInstance] = useState(defaultInstance);
  const [draft, setDraft] = useState(fresh);
  const add = useMutation<void, Stream>(
    () => apiFetch("/streams", { method: "POST", body: { hashtag, instance, ...bodyOf(draft) } }),
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
    setHashtag("");
    setInstance(defaultInstance);
    setDraft(fresh);
  }
  const named = new Set(["hashtag", "instance", "fetch_interval_minutes", "languages"]);
  const failure = add.failure;
  const general =
    failure && !failure.errors.some((error) => named.has(error.path.split(".")[0] ?? ""))
      ? failure.detail
      : undefined;
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
        <div className="grid gap-4 desk:grid-cols-2">
          <Field
            label={w.hashtag}
            hint={w.hashtagHint}
            error={failure?.fieldError("hashtag") ?? general}
            required
          >
            <Input
              value={hashtag}
              onChange={(event) => setHashtag(event.target.value)}
              autoCapitalize="none"
              required
            />
          </Field>
          <Field label={w.instance} hint={w.instanceHint} error={failure?.fieldError("instance")} required>
            <Input
              value={instance}
              onChange={(event) => setInstance(event.target.value)}
              autoCapitalize="none"
              required
            />
          </Field>
        </div>
        <StreamFields draft={draft} onChange={setDraft} failure={failure} />
      </form>
    </Dialog>
  );
}
