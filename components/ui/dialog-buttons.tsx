import type { ReactNode } from "react";
import { Button } from "./button.tsx";

export interface DialogButtonsProps {
  /** Id of the form in the dialog. */
  form: string;
  /** Label of the button that sends the form. */
  children: ReactNode;
  danger?: boolean;
  pending?: boolean;
  onCancel: () => void;
}

/** Footer of a dialog with a form. */
export function DialogButtons({
  form,
  children,
  danger = false,
  pending = false,
  onCancel,
}: DialogButtonsProps) {
  return (
    <>
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" form={form} variant={danger ? "danger" : "primary"} pending={pending}>
        {children}
      </Button>
    </>
  );
}
