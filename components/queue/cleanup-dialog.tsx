"use client";
import { useState } from "react";
import { useDeletion } from "#components/actions/use-deletion.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { wholeNumber, withQuery } from "#lib/client/query-string.ts";

const w = words.queue;

export interface CleanupDialogProps {
  open: boolean;
  setOpen: (open: boolean) => void;
}

export function CleanupDialog({ open, setOpen }: CleanupDialogProps) {
  const [days, setDays] = useState("7");
  const cleanup = useDeletion<{ deleted: number }>({
    action: "cleanup",
    remove: (preview) =>
      apiFetch(withQuery("/curated/cleanup", { retention_days: days, preview }), { method: "POST" }),
    refresh: ["/curated*", "/stats*", "/posts*"],
    onDone: ({ deleted }) => {
      change(false);
      notifyDone(w.cleanupDone(deleted));
    },
  });
  const { counted } = cleanup;
  const posts = counted?.changes ?? 0;
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
          void cleanup.count({ retention_days: wholeNumber(days) });
        }}
      >
        <Field label={w.cleanupDays} error={errors.at("retention_days") ?? errors.form}>
          <Input
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
