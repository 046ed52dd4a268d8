"use client";
import {
  createContext,
  startTransition,
  useActionState,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from "react";
import type { Answer, FormAction } from "#lib/accounts/form-action.ts";
import { ApiFailure } from "#lib/client/api-failure.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { Switch } from "./choice.tsx";
import { AlertDialog } from "./dialog.tsx";
import { Field, type FieldProps } from "./field.tsx";
import { formErrors, type FieldErrors, type FormErrors } from "./form-errors.ts";
import { IconButton } from "./icon-button.tsx";
import { Notice } from "./states.tsx";
import { notifyDone, notifyFailed, type NotifyOptions } from "./toast.tsx";

export type Fields = Readonly<Record<string, string | number | boolean>>;

function tell(answer: Answer, toast?: NotifyOptions) {
  if ("failure" in answer) notifyFailed("The change failed", new ApiFailure(answer.failure));
  else if (answer.leave === undefined) notifyDone(answer.said, toast);
  else window.location.assign(answer.leave);
}

/**
 * Runs a server action without a form; calls during another wait for it. A toast says what was done: not an effect, because
 * the answer may remove the button.
 */
export function useAction(action: FormAction, toast?: NotifyOptions) {
  const latest = useRef(toast);
  useEffect(() => {
    latest.current = toast;
  });
  const [, dispatch, pending] = useActionState<Answer | null, FormData>(async (before, form) => {
    const answer = await action(before, form);
    tell(answer, latest.current);
    return answer;
  }, null);
  const send = (fields: Fields) => startTransition(() => dispatch(formOf(fields)));
  return { send, pending };
}

function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  return form;
}

const FormContext = createContext<FormErrors & { pending: boolean }>({
  at: () => undefined,
  form: undefined,
  pending: false,
});

export interface ActionFormProps extends Omit<ComponentProps<"form">, "action"> {
  action: FormAction;
  errors: FieldErrors;
  /** Empties the fields when the action is done. */
  clears?: boolean;
  onDone?: () => void;
}

/** Works before scripts have loaded. Its errors stand at `ActionField`s until something is typed. */
export function ActionForm({
  action,
  errors: sentences,
  clears,
  onDone,
  children,
  ...form
}: ActionFormProps) {
  const element = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Answer | null>(null);
  // Directly, not by `useAction`: without scripts the browser posts to the server's action.
  const [answer, dispatch, pending] = useActionState(action, null);
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });
  useEffect(() => {
    if (answer === null || "failure" in answer) return;
    notifyDone(answer.said);
    if (clears === true) element.current?.reset();
    done.current?.();
  }, [answer, clears]);
  const errors = useMemo(() => {
    const failed = answer !== null && answer !== typed && "failure" in answer;
    return { ...formErrors(sentences, failed ? new ApiFailure(answer.failure) : undefined), pending };
  }, [answer, typed, sentences, pending]);
  return (
    <FormContext value={errors}>
      <form
        ref={element}
        action={dispatch}
        // Without React's reset, which would empty a refused form.
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          if (!pending) startTransition(() => dispatch(fields));
        }}
        onInput={() => setTyped(answer)}
        {...form}
      >
        {children}
      </form>
    </FormContext>
  );
}

/** Errors of the whole form, where no field shows them. */
export function FormNotice() {
  const { form } = useContext(FormContext);
  return form === undefined ? null : <Notice tone="reject">{form}</Notice>;
}

/** `whole`: shows the errors of the whole form, too. */
export function ActionField({
  name,
  whole = false,
  ...field
}: Omit<FieldProps, "error"> & { name: string; whole?: boolean }) {
  const { at, form } = useContext(FormContext);
  return <Field {...field} error={at(name) ?? (whole ? form : undefined)} />;
}

export function SubmitButton(props: ButtonProps) {
  return <Button type="submit" pending={useContext(FormContext).pending} {...props} />;
}

export interface ActionButtonProps extends ButtonProps {
  action: FormAction;
  fields?: Fields;
  /** Asks first. */
  ask?: { title: string; description: ReactNode; confirm: string };
  /** Shows only `icon`, with this name. */
  label?: string;
  /** A press while one runs counts, too. */
  repeats?: boolean;
}

/** A button that runs a server action. */
export function ActionButton({
  action,
  fields = {},
  ask,
  label,
  repeats = false,
  ...button
}: ActionButtonProps) {
  const { send, pending } = useAction(action);
  const run = () => send(fields);
  if (ask)
    return (
      <AlertDialog
        {...ask}
        pending={pending}
        onConfirm={run}
        trigger={<Button {...button} pending={pending} />}
      />
    );
  if (label !== undefined)
    return (
      <IconButton
        label={label}
        icon={button.icon}
        pending={pending && !repeats}
        onClick={pending && !repeats ? undefined : run}
        disabled={button.disabled}
      />
    );
  return <Button {...button} pending={pending} onClick={run} />;
}

export function ActionSwitch({
  action,
  fields,
  label,
  checked,
}: {
  action: FormAction;
  fields?: Fields;
  label: string;
  checked: boolean;
}) {
  const { send, pending } = useAction(action);
  return (
    <Switch
      label={label}
      checked={pending ? !checked : checked}
      onChange={() => (pending ? undefined : send({ ...fields, on: !checked }))}
    />
  );
}
