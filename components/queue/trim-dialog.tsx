"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { withQuery } from "#lib/client/query-string.ts";

const w = words.queue;

interface Plan {
  deleted: number;
  would_delete: number;
  pending: number;
  target: number;
}

export function TrimDialog() {
  const [open, setOpen] = useDialogParam("trim");
  const [days, setDays] = useState("3");
  const [plan, setPlan] = useState<Plan>();
  const preview = useMutation<string, Plan>(
    (value) =>
      apiFetch(withQuery("/curated/trim-pending", { lookback_days: value, dry_run: true }), {
        method: "POST",
      }),
    { onDone: setPlan },
  );
  const trim = useMutation<string, { deleted: number }>(
    (value) => apiFetch(withQuery("/curated/trim-pending", { lookback_days: value }), { method: "POST" }),
    {
      refresh: ["/curated*", "/stats*", "/posts*"],
      onDone: ({ deleted }) => {
        change(false);
        notifyDone(w.trimDone(deleted));
      },
    },
  );
  function change(next: boolean) {
    setOpen(next);
    setPlan(undefined);
    preview.reset();
    trim.reset();
  }
  const much = plan !== undefined && plan.would_delete * 2 > plan.pending;
  const ready = plan !== undefined && plan.would_delete > 0;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={w.trimTitle}
      description={w.trimHint}
      width="sm"
      trigger={<Button>{w.trim}</Button>}
      footer={
        <>
          <Button onClick={() => change(false)}>{words.common.cancel}</Button>
          {ready ? (
            <Button variant="danger" pending={trim.pending} onClick={() => void trim.run(days)}>
              {(much ? w.trimMuchConfirm : w.trimConfirm)(formatCount(plan.would_delete))}
            </Button>
          ) : (
            <Button type="submit" form="trim" variant="primary" pending={preview.pending}>
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
          void preview.run(days);
        }}
      >
        <Field label={w.trimDays} error={formErrors("trim", preview.failure ?? trim.failure).form}>
          <Input
            inputMode="numeric"
            value={days}
            onChange={(event) => {
              setDays(event.target.value);
              setPlan(undefined);
            }}
          />
        </Field>
        {plan === undefined ? null : (
          <Notice tone={much ? "warn" : "info"}>
            {ready
              ? w.trimPlan(
                  formatCount(plan.would_delete),
                  formatCount(plan.pending),
                  formatCount(plan.target),
                )
              : w.trimNothing(formatCount(plan.pending))}
            {much ? ` ${w.trimMuch}` : null}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
