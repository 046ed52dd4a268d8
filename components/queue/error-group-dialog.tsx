"use client";
import { useState, type ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { ErrorBatch, ErrorBatchUndone } from "#lib/queue/schema.ts";

const w = words.queue;
const MOST = 1000;
const refresh = ["/curated*", "/stats*", "/posts*"];

export interface ErrorGroupDialogProps {
  kind: "requeue" | "dismiss";
  reason: string;
  count: number;
  icon?: ReactNode;
}

/**
 * Oldest first. A small number first shows whether the cause is gone. Undo restores posts not reserved
 * since.
 */
export function ErrorGroupDialog({ kind, reason, count, icon }: ErrorGroupDialogProps) {
  const [open, setOpen] = useState(false);
  const most = Math.min(count, MOST);
  const [limit, setLimit] = useState("");
  const form = `${kind}-${reason}`;
  const isRequeue = kind === "requeue";
  const verb = isRequeue ? w.requeue : w.dismiss;
  const all = (isRequeue ? w.requeueAll : w.dismissAll)(formatCount(count));
  const wanted = Number(limit);
  const undo = useMutation<string, ErrorBatchUndone>(
    (id) => apiFetch(`/curated/errors/${id}/undo`, { method: "POST" }),
    {
      refresh,
      onDone: ({ changed, unchanged }) =>
        notifyDone(
          w.errorsBack(changed),
          unchanged > 0 ? { description: w.errorsBackSome(unchanged) } : undefined,
        ),
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
  const act = useMutation<number, ErrorBatch>(
    (most) => apiFetch(`/curated/errors/${kind}`, { method: "POST", body: { reason, limit: most } }),
    {
      refresh,
      onDone: ({ changed, batch_id }) => {
        change(false);
        notifyDone((isRequeue ? w.requeued : w.dismissed)(changed), {
          ...(batch_id === null ? {} : { undo: () => void undo.run(batch_id) }),
        });
      },
    },
  );
  function change(next: boolean) {
    setOpen(next);
    setLimit(String(most));
    act.reset();
  }
  const errors = formErrors("errorGroup", act.failure);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      width="sm"
      title={(isRequeue ? w.requeueTitle : w.dismissTitle)(formatCount(count))}
      description={isRequeue ? w.requeueHint : w.dismissHint}
      trigger={
        <Button size="sm" icon={icon} aria-label={`${all}: ${reason}`}>
          {all}
        </Button>
      }
      footer={
        <>
          <Button onClick={() => change(false)}>{words.common.cancel}</Button>
          <Button type="submit" form={form} variant={isRequeue ? "primary" : "danger"} pending={act.pending}>
            {wanted === count ? all : `${verb} ${formatCount(wanted)}`}
          </Button>
        </>
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
            max={most}
            required
            value={limit}
            onChange={(event) => setLimit(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
