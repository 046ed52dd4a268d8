"use client";
import { dismissed, requeued } from "#components/words.ts";
import { useState, type ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { DialogButtons } from "#components/ui/dialog-buttons.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import { formatCount } from "#components/format.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { ErrorBatch } from "#lib/queue/schema.ts";

const fieldErrors = {
  form: "Change something first.",
  reason: "Choose a group of the list.",
  limit: "Enter a whole number from 1 to 1000.",
  preview: "The count is too old. Open this again.",
} as const;

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
  const verb = isRequeue ? "Requeue" : "Reject";
  const label = (posts: number) =>
    posts === count
      ? isRequeue
        ? `Requeue all ${formatCount(count)}`
        : `Reject all ${formatCount(count)}`
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
        notifyDone((isRequeue ? requeued : dismissed)(changed));
      },
    },
  );
  function change(next: boolean) {
    setOpen(next);
    setLimit(String(max));
    act.reset();
  }
  const errors = formErrors(fieldErrors, act.failure);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      width="sm"
      title={
        isRequeue ? `Requeue ${formatCount(max)} failed posts` : `Reject ${formatCount(max)} failed posts`
      }
      description={
        isRequeue
          ? "They return to their old positions. Start with a few to see whether the cause is fixed."
          : "They are removed from the queue. The error stays in their history."
      }
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
          label="How many"
          hint={`${formatCount(count)} in total, oldest errors first.`}
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
