"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import { formatCount } from "#components/format.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { Trimmed } from "#lib/queue/schema.ts";
import { useCounted } from "./use-counted.ts";

const fieldErrors = {
  form: "Enter a whole number of days, 1 or more.",
  lookback_days: "Enter a whole number of days, 1 or more.",
} as const;

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
      notifyDone(deleted === 1 ? "1 pending post deleted" : `${deleted} pending posts deleted`);
    },
  });
  function change(next: boolean) {
    setOpen(next);
    trim.reset();
  }
  const { counted } = trim;
  const { would_delete: posts = 0, pending = 0, target = 0 } = counted ?? {};
  const much = posts * 2 > pending;
  const errors = formErrors(fieldErrors, trim.failure);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Trim pending posts"
      description="Keeps two days' worth of posts. Posts are chosen at random; old posts, posts with few likes and posts of prolific authors are more likely to be deleted."
      width="sm"
      footer={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          {posts > 0 ? (
            <Button variant="danger" pending={trim.pending || trim.tooSoon} onClick={() => void trim.run()}>
              {much ? `Delete ${formatCount(posts)} posts anyway` : `Delete ${formatCount(posts)} posts`}
            </Button>
          ) : (
            <Button type="submit" form="trim" variant="primary" pending={trim.counting}>
              Preview
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
        <Field label="Deliveries of the last (days)" error={errors.at("lookback_days") ?? errors.form}>
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
              ? `${formatCount(posts)} of ${formatCount(pending)} pending posts would be deleted, ${formatCount(target)} kept. This cannot be undone.`
              : `Nothing to trim: ${formatCount(pending)} pending posts are within the target, or nothing was delivered in that time.`}
            {much ? " This deletes more than half of the queue." : null}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
