"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { withQuery } from "#lib/client/query-string.ts";

const w = words.queue;

export function CleanupDialog() {
  const [open, setOpen] = useDialogParam("cleanup");
  const [days, setDays] = useState("7");
  const cleanup = useMutation<string, { deleted: number }>(
    (value) => apiFetch(withQuery("/curated/cleanup", { retention_days: value }), { method: "POST" }),
    {
      refresh: ["/curated*", "/stats*", "/posts*"],
      onDone: ({ deleted }) => {
        setOpen(false);
        notifyDone(w.cleanupDone(deleted));
      },
    },
  );
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={w.cleanupTitle}
      description={w.cleanupHint}
      width="sm"
      trigger={<Button>{w.cleanup}</Button>}
      footer={
        <>
          <Button onClick={() => setOpen(false)}>{words.common.cancel}</Button>
          <Button type="submit" form="cleanup" variant="danger" pending={cleanup.pending}>
            {words.common.delete}
          </Button>
        </>
      }
    >
      <form
        id="cleanup"
        onSubmit={(event) => {
          event.preventDefault();
          void cleanup.run(days);
        }}
      >
        <Field label={w.cleanupDays} error={formErrors("cleanup", cleanup.failure).form}>
          <Input inputMode="numeric" value={days} onChange={(event) => setDays(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
