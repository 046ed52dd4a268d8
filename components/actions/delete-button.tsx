"use client";
import type { ReactNode } from "react";
import { Button, type ButtonVariant } from "#components/ui/button.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import { words } from "#components/words/en.ts";
import { useDeletion, type DeletionOptions } from "./use-deletion.ts";

export interface DeleteButtonProps<Output> extends DeletionOptions<Output> {
  body: object;
  title: string;
  description: (counts: Record<string, number>) => string;
  confirm: string;
  variant: ButtonVariant;
  icon?: ReactNode;
}

/** Counts at the first press and deletes at the second, which no undo follows. */
export function DeleteButton<Output>(props: DeleteButtonProps<Output>) {
  const { body, title, description, confirm, variant, icon, ...options } = props;
  const deletion = useDeletion(options);
  const { counted } = deletion;
  return (
    <>
      <Button
        variant={variant}
        icon={icon}
        pending={deletion.counting || deletion.pending}
        onClick={() => void deletion.count(body)}
      >
        {confirm}
      </Button>
      {counted === null ? null : (
        <AlertDialog
          open
          onOpenChange={(open) => !open && !deletion.pending && deletion.reset()}
          title={title}
          description={
            <>
              <p>{description(counted.counts)}</p>
              <p className="mt-2 font-medium text-warn">
                {counted.warnings.map(({ detail }) => `${detail}.`).join(" ")}
              </p>
            </>
          }
          confirm={confirm}
          pending={deletion.pending}
          onConfirm={(event) => {
            // Stays open until the answer, which may be a new count.
            event.preventDefault();
            void deletion.run();
          }}
        />
      )}
      <span role="status">
        {deletion.counting ? <VisuallyHidden>{words.actions.counting}</VisuallyHidden> : null}
      </span>
    </>
  );
}
