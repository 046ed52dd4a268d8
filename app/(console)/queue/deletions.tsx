"use client";
import { Eraser, Pause, Scissors } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { formatCount, plural } from "#components/format.ts";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import { useAction } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { Field } from "#components/ui/field.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { Deleted, Trimmed } from "#lib/queue/schema.ts";
import { pauseDeliveries } from "./actions.ts";

type Counted = Deleted & Partial<Trimmed>;

/** Deletions that are counted first. `parameter`: of the operation, in days. */
const deletions = {
  cleanup: {
    title: "Delete delivered posts",
    description: "Totals keep counting them. They are not fetched again.",
    path: "/curated/cleanup",
    parameter: "retention_days",
    label: "Older than (days)",
    error: "Enter a whole number of days, 0 or more.",
    kind: "delivered",
    says: ({ would_delete: posts = 0 }: Counted) =>
      posts === 0
        ? "No delivered post is that old."
        : `${plural(posts, "delivered post is", "delivered posts are")} deleted with ${posts === 1 ? "its" : "their"} pictures. This cannot be undone.`,
  },
  trim: {
    title: "Trim pending posts",
    description:
      "Keeps two days' worth of posts. Posts are chosen at random; old posts, posts with few likes and posts of prolific authors are more likely to be deleted.",
    path: "/curated/trim-pending",
    parameter: "lookback_days",
    label: "Deliveries of the last (days)",
    error: "Enter a whole number of days, 1 or more.",
    kind: "pending",
    says: ({ would_delete: posts = 0, pending = 0, target = 0 }: Counted) =>
      posts === 0
        ? `Nothing to trim: ${formatCount(pending)} pending posts are within the target, or nothing was delivered in that time.`
        : `${formatCount(posts)} of ${formatCount(pending)} pending posts would be deleted, ${formatCount(target)} kept. This cannot be undone.`,
  },
} as const;

export function DeletionsMenu({ paceDays, isPaused }: { paceDays: number; isPaused: boolean }) {
  const [cleans, setCleans] = useDialogParam("cleanup");
  const [trims, setTrims] = useDialogParam("trim");
  const pause = useAction(pauseDeliveries);
  return (
    <>
      <Menu label="Clean up or trim">
        <MenuItem icon={<Eraser aria-hidden />} onSelect={() => setCleans(true)}>
          Clean up delivered
        </MenuItem>
        <MenuItem icon={<Scissors aria-hidden />} onSelect={() => setTrims(true)}>
          Trim pending
        </MenuItem>
        {isPaused ? null : (
          <MenuItem icon={<Pause aria-hidden />} onSelect={() => pause.send({ on: true })}>
            Pause deliveries
          </MenuItem>
        )}
      </Menu>
      {cleans ? <DeletionDialog name="cleanup" days={7} onClose={() => setCleans(false)} /> : null}
      {trims ? <DeletionDialog name="trim" days={paceDays} onClose={() => setTrims(false)} /> : null}
    </>
  );
}

interface DeletionDialogProps {
  name: keyof typeof deletions;
  days: number;
  onClose: () => void;
}

/** The server counts, then exactly that is deleted. */
function DeletionDialog({ name, days: initialDays, onClose }: DeletionDialogProps) {
  const { title, description, path, parameter, label, error, kind, says } = deletions[name];
  const [days, setDays] = useState(String(initialDays));
  const [counted, setCounted] = useState<Counted | null>(null);
  const router = useRouter();
  const send = useMutation<Record<string, string | boolean | undefined>, Counted>(
    (more) => apiFetch(withQuery(path, { [parameter]: days, ...more }), { method: "POST" }),
    {
      onDone: (answer, more) => {
        if (more.dry_run === true) return setCounted(answer);
        router.refresh();
        onClose();
        notifyDone(`${plural(answer.deleted, `${kind} post`, `${kind} posts`)} deleted`);
      },
      onFailed: () => setCounted(null),
    },
  );
  const errors = formErrors({ form: error, [parameter]: error }, send.failure);
  const posts = counted?.would_delete ?? 0;
  const isMost = posts * 2 > (counted?.pending ?? Infinity);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      width="sm"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="deletion" variant="primary" pending={send.pending}>
            Preview
          </Button>
        </>
      }
    >
      <form
        id="deletion"
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          void send.run({ dry_run: true });
        }}
      >
        <Field label={label} error={errors.at(parameter) ?? errors.form}>
          <Input
            required
            inputMode="numeric"
            value={days}
            onChange={(event) => {
              setDays(event.target.value);
              setCounted(null);
              send.reset();
            }}
          />
        </Field>
        {counted === null ? null : (
          <Notice
            tone={posts > 0 ? "warn" : "info"}
            // Not in the place of Preview: the second half of a double click must not delete.
            action={
              posts === 0 ? null : (
                <Button
                  variant="danger"
                  pending={send.pending}
                  onClick={() => void send.run({ as_of: counted.as_of })}
                >
                  Delete {plural(posts, "post", "posts")}
                </Button>
              )
            }
          >
            {says(counted)}
            {isMost ? " This deletes more than half of the queue." : null}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
