"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { formatCount } from "#components/words/format.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { Trimmed } from "#lib/queue/schema.ts";
import { useCounted } from "./use-counted.ts";

const w = words.queue;

export interface TrimDialogProps {
  open: boolean;
  setOpen: (open: boolean) => void;
  /** Days that the pace of the queue covers. */
  paceDays: number;
}

export function TrimDialog({ open, setOpen, paceDays }: TrimDialogProps) {
  const [days, setDays] = useState(String(paceDays));
  const send = (more: Record<string, string | boolean | undefined>) =>
    apiFetch<Trimmed>(withQuery("/curated/trim-pending", { lookback_days: days, ...more }), {
      method: "POST",
    });
  const trim = useCounted({
    count: () => send({ dry_run: true }),
    run: ({ as_of }) => send({ as_of }),
    refresh: ["/curated*", "/stats*", "/posts*"],
    onDone: ({ deleted }) => {
      change(false);
      notifyDone(w.trimDone(deleted));
    },
  });
  function change(next: boolean) {
    setOpen(next);
    trim.reset();
  }
  const { counted } = trim;
  const { would_delete: posts = 0, pending = 0, target = 0 } = counted ?? {};
  const much = posts * 2 > pending;
  const errors = formErrors("trim", trim.failure);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={w.trimTitle}
      description={w.trimHint}
      width="sm"
      footer={
        <>
          <Button onClick={() => change(false)}>{words.common.cancel}</Button>
          {posts > 0 ? (
            <Button variant="danger" pending={trim.pending || trim.tooSoon} onClick={() => void trim.run()}>
              {(much ? w.trimMuchConfirm : w.trimConfirm)(formatCount(posts))}
            </Button>
          ) : (
            <Button type="submit" form="trim" variant="primary" pending={trim.counting}>
              {w.preview}
            </Button>
          )}
        </>
      }
    >
      <form
        id="trim"
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          void trim.count();
        }}
      >
        <Field label={w.trimDays} error={errors.at("lookback_days") ?? errors.form}>
          <Input
            required
            inputMode="numeric"
            value={days}
            onChange={(event) => {
              setDays(event.target.value);
              trim.reset();
            }}
          />
        </Field>
        {counted === null ? null : (
          <Notice tone={much ? "warn" : "info"}>
            {posts > 0
              ? w.trimPlan(formatCount(posts), formatCount(pending), formatCount(target))
              : w.trimNothing(formatCount(pending))}
            {much ? ` ${w.trimMuch}` : null}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
