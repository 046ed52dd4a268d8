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
import type { Deleted } from "#lib/queue/schema.ts";
import { useCounted } from "./use-counted.ts";

const w = words.queue;

export interface CleanupDialogProps {
  open: boolean;
  setOpen: (open: boolean) => void;
}

export function CleanupDialog({ open, setOpen }: CleanupDialogProps) {
  const [days, setDays] = useState("7");
  const send = (more: Record<string, string | boolean | undefined>) =>
    apiFetch<Deleted>(withQuery("/curated/cleanup", { retention_days: days, ...more }), { method: "POST" });
  const cleanup = useCounted({
    count: () => send({ dry_run: true }),
    run: ({ as_of }) => send({ as_of }),
    refresh: ["/curated*", "/stats*", "/posts*"],
    onDone: ({ deleted }) => {
      change(false);
      notifyDone(w.cleanupDone(deleted));
    },
  });
  const { counted } = cleanup;
  const posts = counted?.would_delete ?? 0;
  function change(next: boolean) {
    setOpen(next);
    cleanup.reset();
  }
  const errors = formErrors("cleanup", cleanup.failure);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={w.cleanupTitle}
      description={w.cleanupHint}
      width="sm"
      footer={
        <>
          <Button onClick={() => change(false)}>{words.common.cancel}</Button>
          {posts > 0 ? (
            <Button
              variant="danger"
              pending={cleanup.pending || cleanup.tooSoon}
              onClick={() => void cleanup.run()}
            >
              {w.cleanupConfirm(formatCount(posts))}
            </Button>
          ) : (
            <Button type="submit" form="cleanup" variant="primary" pending={cleanup.counting}>
              {w.preview}
            </Button>
          )}
        </>
      }
    >
      <form
        id="cleanup"
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          void cleanup.count();
        }}
      >
        <Field label={w.cleanupDays} error={errors.at("retention_days") ?? errors.form}>
          <Input
            required
            inputMode="numeric"
            value={days}
            onChange={(event) => {
              setDays(event.target.value);
              cleanup.reset();
            }}
          />
        </Field>
        {counted === null ? null : (
          <Notice tone={posts > 0 ? "warn" : "info"}>
            {posts > 0 ? w.cleanupPlan(posts) : w.cleanupNothing}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
