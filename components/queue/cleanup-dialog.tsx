"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import { formatCount, plural } from "#components/format.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { Deleted } from "#lib/queue/schema.ts";
import { useCounted } from "./use-counted.ts";

const fieldErrors = {
  form: "Enter a whole number of days, 0 or more.",
  retention_days: "Enter a whole number of days, 0 or more.",
} as const;

const cleanupConfirm = (count: string) => (count === "1" ? "Delete 1 post" : `Delete ${count} posts`);

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
      notifyDone(deleted === 1 ? "1 delivered post deleted" : `${deleted} delivered posts deleted`);
    },
  });
  const { counted } = cleanup;
  const posts = counted?.would_delete ?? 0;
  function change(next: boolean) {
    setOpen(next);
    cleanup.reset();
  }
  const errors = formErrors(fieldErrors, cleanup.failure);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Delete delivered posts"
      description="Totals keep counting them. They are not fetched again."
      width="sm"
      footer={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          {posts > 0 ? (
            <Button
              variant="danger"
              pending={cleanup.pending || cleanup.tooSoon}
              onClick={() => void cleanup.run()}
            >
              {cleanupConfirm(formatCount(posts))}
            </Button>
          ) : (
            <Button type="submit" form="cleanup" variant="primary" pending={cleanup.counting}>
              Preview
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
        <Field label="Older than (days)" error={errors.at("retention_days") ?? errors.form}>
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
            {posts > 0
              ? `${plural(posts, "delivered post is", "delivered posts are")} deleted with ${posts === 1 ? "its" : "their"} pictures. This cannot be undone.`
              : "No delivered post is that old."}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
