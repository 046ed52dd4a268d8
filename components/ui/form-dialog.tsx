"use client";
import type { ReactNode } from "react";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import type { FormAction } from "#lib/accounts/form-action.ts";
import { ActionForm, FormNotice, SubmitButton } from "./action-form.tsx";
import { Button, type ButtonProps } from "./button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";
import type { FieldErrors } from "./form-errors.ts";

export interface FormDialogProps extends Pick<DialogProps, "title" | "description" | "width"> {
  /** The button that opens it. */
  trigger: ButtonProps;
  /** Parameter of the address that opens it. */
  param?: string;
  action: FormAction;
  errors: FieldErrors;
  submit: string;
  /** Fields. */
  children: ReactNode;
}

/** A form of a server action in a dialog, which closes when it is done. */
export function FormDialog({
  trigger,
  param = "",
  action,
  errors,
  submit,
  children,
  ...dialog
}: FormDialogProps) {
  const [open, setOpen] = useDialogParam(param);
  return (
    <Dialog {...dialog} open={open} onOpenChange={setOpen} trigger={<Button {...trigger} />}>
      <ActionForm action={action} errors={errors} onDone={() => setOpen(false)} className="space-y-4">
        <FormNotice />
        {children}
        <div className="-mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <SubmitButton variant="primary">{submit}</SubmitButton>
        </div>
      </ActionForm>
    </Dialog>
  );
}
