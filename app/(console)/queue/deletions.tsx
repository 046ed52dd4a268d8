"use client";
import { Eraser, Pause, Scissors } from "lucide-react";
import { formatCount, plural } from "#components/format.ts";
import { ActionButton, ActionField, useAction } from "#components/ui/action-form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import type { DialogProps } from "#components/ui/dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { Notice } from "#components/ui/states.tsx";
import { deletePosts, pauseDeliveries } from "./actions.ts";

const open = (dialog: string) => window.history.pushState(null, "", `?${dialog}=1`);

export function DeletionsMenu({ paceDays, isPaused }: { paceDays: number; isPaused: boolean }) {
  const pause = useAction(pauseDeliveries);
  return (
    <>
      <Menu label="Clean up or trim">
        <MenuItem icon={<Eraser aria-hidden />} onSelect={() => open("cleanup")}>
          Clean up delivered
        </MenuItem>
        <MenuItem icon={<Scissors aria-hidden />} onSelect={() => open("trim")}>
          Trim pending
        </MenuItem>
        {isPaused ? null : (
          <MenuItem icon={<Pause aria-hidden />} onSelect={() => pause.send({ on: true })}>
            Pause deliveries
          </MenuItem>
        )}
      </Menu>
      <DeletionDialog
        what="cleanup"
        title="Delete delivered posts"
        description="Totals keep counting them. They are not fetched again."
        label="Older than (days)"
        days={7}
      />
      <DeletionDialog
        what="trim"
        title="Trim pending posts"
        description="Keeps two days’ worth of posts. Posts are chosen at random; old posts, posts with few likes and posts of prolific authors are more likely to be deleted."
        label="Deliveries of the last (days)"
        days={paceDays}
      />
    </>
  );
}

interface DeletionDialogProps extends Pick<DialogProps, "title" | "description"> {
  what: "cleanup" | "trim";
  label: string;
  days: number;
}

const error = "Enter a whole number of days.";

/** Previews a deletion; the server then deletes exactly what it counted. */
function DeletionDialog({ what, label, days, ...dialog }: DeletionDialogProps) {
  return (
    <FormDialog
      {...dialog}
      param={what}
      width="sm"
      action={deletePosts}
      errors={{ form: error, days: error }}
      submit="Preview"
    >
      {(counted, close) => (
        <>
          <input type="hidden" name="what" value={what} />
          <ActionField name="days" label={label} required>
            <Input name="days" inputMode="numeric" defaultValue={days} required />
          </ActionField>
          {counted?.would_delete === 0 ? <Notice>Nothing to delete.</Notice> : null}
          {counted?.would_delete ? (
            <Notice
              tone="warn"
              // Not a submit button: Enter, or a double click on Preview, must not delete.
              action={
                <ActionButton
                  variant="danger"
                  action={deletePosts}
                  fields={{ what, ...counted }}
                  onDone={close}
                  {...(counted.would_delete * 2 > (counted.pending ?? Infinity)
                    ? { ask: "This deletes more than half of the queue." }
                    : {})}
                >
                  {`Delete ${plural(counted.would_delete, "post", "posts")}`}
                </ActionButton>
              }
            >
              {counted.pending === undefined ? null : `Of ${formatCount(counted.pending)} posts. `}
              This cannot be undone.
            </Notice>
          ) : null}
        </>
      )}
    </FormDialog>
  );
}
