"use client";
import type { ReactNode } from "react";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import type { FormAction } from "#lib/accounts/form-action.ts";
import { ActionForm, FormNotice, SubmitButton } from "./action-form.tsx";
import { Button, type ButtonProps } from "./button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";
import type { FieldErrors } from "./form-errors.ts";

export interface FormDialogProps<Result> extends Pick<DialogProps, "title" | "description" | "width"> {
  /** Button that opens the dialog. Omit it if only the address opens it. */
  trigger?: ButtonProps;
  /** Parameter of the address that opens the dialog. */
  param?: string;
  action: FormAction<Result>;
  errors: FieldErrors;
  submit: string;
  /** Fields. A function gets the result of the action, until something is typed. */
  children: ReactNode | ((result: Result | undefined, close: () => void) => ReactNode);
}

/** A form of a server action in a dialog, which closes after a success without a result. */
export function FormDialog<Result>({
  trigger,
  param = "",
  action,
  errors,
  submit,
  children,
  ...dialog
}: FormDialogProps<Result>) {
  const [open, setOpen] = useDialogParam(param);
  const close = () => setOpen(false);
  return (
    <Dialog
      {...dialog}
      open={open}
      onOpenChange={setOpen}
      {...(trigger ? { trigger: <Button {...trigger} /> } : {})}
    >
      <ActionForm
        action={action}
        errors={errors}
        onDone={(result) => {
          if (result === undefined) close();
        }}
        className="space-y-4"
      >
        {(result) => (
          <>
            <FormNotice />
            {typeof children === "function" ? children(result, close) : children}
            <div className="-mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              <Button onClick={close}>Cancel</Button>
              <SubmitButton variant="primary">{submit}</SubmitButton>
            </div>
          </>
        )}
      </ActionForm>
    </Dialog>
  );
}
