"use client";
import { useState, type ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { DialogButtons } from "#components/ui/dialog-buttons.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { formatCount } from "#components/words/format.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { ErrorBatch } from "#lib/queue/schema.ts";

const w = words.queue;
const MAX_POSTS = 1000;
const refresh = ["/curated*", "/stats*", "/posts*"];

export interface ErrorGroupDialogProps {
  kind: "requeue" | "dismiss";
  reason: string;
  count: number;
  icon?: ReactNode;
}

/** Oldest first. A small number first shows whether the cause is gone. */
export function ErrorGroupDialog({ kind, reason, count, icon }: ErrorGroupDialogProps) {
  const [open, setOpen] = useState(false);
  const max = Math.min(count, MAX_POSTS);
  const [limit, setLimit] = useState("");
  const form = `${kind}-${reason}`;
  const isRequeue = kind === "requeue";
  const verb = isRequeue ? w.requeue : w.dismiss;
  const label = (posts: number) =>
    posts === count
      ? (isRequeue ? w.requeueAll : w.dismissAll)(formatCount(count))
      : `${verb} ${formatCount(posts)}`;
  const wanted = Number(limit);
  const act = useMutation<number, ErrorBatch>(
    (limit) =>
      apiFetch(`/curated/errors/${kind}`, {
        method: "POST",
        body: { reason, limit },
      }),
    {
      refresh,
      onDone: ({ changed }) => {
        change(false);
        notifyDone((isRequeue ? w.requeued : w.dismissed)(changed));
      },
    },
  );
  function change(next: boolean) {
    setOpen(next);
    setLimit(String(max));
    act.reset();
  }
  const errors = formErrors("errorGroup", act.failure);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      width="sm"
      title={(isRequeue ? w.requeueTitle : w.dismissTitle)(formatCount(max))}
      description={isRequeue ? w.requeueHint : w.dismissHint}
      trigger={
        <Button size="sm" icon={icon} aria-label={`${label(max)}: ${reason}`}>
          {label(max)}
        </Button>
      }
      footer={
        <DialogButtons form={form} danger={!isRequeue} pending={act.pending} onCancel={() => change(false)}>
          {label(wanted)}
        </DialogButtons>
      }
    >
      <form
        id={form}
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          void act.run(wanted);
        }}
      >
        <p className="text-13 font-medium wrap-anywhere">{reason}</p>
        <Field
          label={w.howMany}
          hint={w.howManyHint(formatCount(count))}
          error={errors.at("limit") ?? errors.form}
        >
          <Input
            type="number"
            min={1}
            max={max}
            required
            value={limit}
            onChange={(event) => setLimit(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
