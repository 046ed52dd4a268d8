"use client";
import { unstable_rethrow, useRouter } from "next/navigation";
import {
  createContext,
  startTransition,
  useActionState,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useTransition,
  type ComponentProps,
  type ReactNode,
} from "react";
import type { ActionResponse, FormAction } from "#lib/accounts/form-action.ts";
import { ApiFailure } from "#lib/client/api-failure.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { AlertDialog } from "./dialog.tsx";
import { Field, type FieldProps } from "./field.tsx";
import { formErrors, type FieldErrors, type FormErrors } from "./form-errors.ts";
import { Notice } from "./states.tsx";
import { notifyDone, notifyFailed, type NotifyOptions } from "./toast.tsx";

export type Fields = Readonly<Record<string, unknown>>;

interface ActionOptions<Result> extends NotifyOptions {
  onDone?: (result: Result | undefined) => void;
}

/** Shows the message or failure of a response as a toast, and opens the page that it names. */
function useFollowResponse() {
  const router = useRouter();
  return (response: ActionResponse, toast?: NotifyOptions) => {
    if ("failure" in response) return notifyFailed("The change failed", new ApiFailure(response.failure));
    if (response.leaveTo !== undefined) return window.location.assign(response.leaveTo);
    if (response.message !== "") notifyDone(response.message, toast);
    if (response.redirectTo !== undefined) router.push(response.redirectTo);
  };
}

/** Turns a lost connection into a failure: React would replace the page by its error. */
async function attempt<Result>(
  action: FormAction<Result>,
  fields: FormData | Fields,
): Promise<ActionResponse<Result>> {
  try {
    return await action(null, fields);
  } catch (error) {
    unstable_rethrow(error);
    const detail = "The server did not answer. Reload the page and try again";
    return { failure: { status: 0, detail, errors: [], requestId: "" } };
  }
}

/** Runs a server action without a form. Its toast is shown here and not in an effect, because the response may remove the button. */
export function useAction<Result>(
  action: FormAction<Result>,
  { onDone, ...toast }: ActionOptions<Result> = {},
) {
  const follow = useFollowResponse();
  const [pending, start] = useTransition();
  const send = (fields: Fields) =>
    start(async () => {
      const response = await attempt(action, fields);
      follow(response, toast);
      if (!("failure" in response)) onDone?.(response.result);
    });
  return { send, pending };
}

/** Runs a server action and returns its result. @throws ApiFailure */
export async function runAction<Result>(
  action: FormAction<Result>,
  fields: Fields,
): Promise<Result | undefined> {
  const response = await attempt(action, fields);
  if ("failure" in response) throw new ApiFailure(response.failure);
  return response.result;
}

const NO_FIELDS = {};
const FormContext = createContext<FormErrors & { pending: boolean }>({
  at: () => undefined,
  form: undefined,
  pending: false,
});

export interface ActionFormProps<Result> extends Omit<ComponentProps<"form">, "action" | "children"> {
  action: FormAction<Result>;
  /** Sentences by field. Pass a constant, not a new object for each render. */
  errors?: FieldErrors;
  /** Empties the fields when the action is done. */
  clears?: boolean;
  onDone?: (result: Result | undefined) => void;
  /** A function gets the result of the action, until something is typed. */
  children: ReactNode | ((result: Result | undefined) => ReactNode);
}

/** A form of a server action. Works before scripts have loaded. Errors are shown at the `ActionField`s until the user types. */
export function ActionForm<Result>({
  action,
  errors: sentences = NO_FIELDS,
  clears,
  onDone,
  children,
  ...form
}: ActionFormProps<Result>) {
  const element = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<ActionResponse<Result> | null>(null);
  // Used without scripts: the browser posts to the server action.
  const [posted, post] = useActionState<ActionResponse<Result> | null, FormData>(action, null);
  const follow = useFollowResponse();
  // The toast is shown here and not in an effect, because the response may remove the form.
  const [sent, send, pending] = useActionState<ActionResponse<Result> | null, FormData>(
    async (_previous, fields) => {
      const response = await attempt(action, fields);
      if ("failure" in response) return response;
      if (clears === true) element.current?.reset();
      // Before the outcome may open another page: `onDone` may change the address.
      onDone?.(response.result);
      follow(response);
      return response;
    },
    null,
  );
  const response = sent ?? posted;
  const shown = response === typed ? null : response;
  const errors = useMemo(() => {
    const failed = shown !== null && "failure" in shown;
    return { ...formErrors(sentences, failed ? new ApiFailure(shown.failure) : undefined), pending };
  }, [shown, sentences, pending]);
  return (
    <FormContext value={errors}>
      <form
        ref={element}
        action={post}
        // `action` would reset the form even after an error.
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget, event.nativeEvent.submitter);
          if (!pending) startTransition(() => send(fields));
        }}
        onInput={() => setTyped(response)}
        {...form}
      >
        {typeof children !== "function"
          ? children
          : children(shown === null || "failure" in shown ? undefined : shown.result)}
      </form>
    </FormContext>
  );
}

/** Error of the whole form, for forms without an `ActionField` with `whole`. */
export function FormNotice() {
  const { form } = useContext(FormContext);
  return form === undefined ? null : <Notice tone="reject">{form}</Notice>;
}

/** @param whole also shows the error of the whole form */
export function ActionField({
  name,
  whole = false,
  ...field
}: Omit<FieldProps, "error"> & { name: string; whole?: boolean }) {
  const { at, form } = useContext(FormContext);
  return <Field {...field} error={at(name) ?? (whole ? form : undefined)} />;
}

/** Error of a group of controls. */
export function ActionErrors({ name }: { name: string }) {
  return (
    <p role="alert" className="text-12 text-reject empty:hidden">
      {useContext(FormContext).at(name)}
    </p>
  );
}

export function SubmitButton(props: ButtonProps) {
  return <Button type="submit" pending={useContext(FormContext).pending} {...props} />;
}

export interface ActionButtonProps extends ButtonProps {
  children: string;
  action: FormAction;
  fields?: Fields;
  /** Asks for confirmation with this text. */
  ask?: string;
  onDone?: () => void;
  /** Offered by the message. */
  undo?: () => void;
}

/** A button that runs a server action. If it disappears with its row, the panel gets the focus. */
export function ActionButton({ action, fields = {}, ask, onDone, undo, ...button }: ActionButtonProps) {
  const { send, pending } = useAction(action, { ...(onDone && { onDone }), ...(undo && { undo }) });
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const place = ref.current;
    const panel = place?.closest("section");
    return () => {
      if (place === null || document.activeElement !== place) return;
      panel?.setAttribute("tabindex", "-1");
      panel?.focus({ preventScroll: true });
    };
  }, []);
  const run = () => send(fields);
  if (ask === undefined) return <Button ref={ref} {...button} pending={pending} onClick={run} />;
  return (
    <AlertDialog
      title={button["aria-label"] ?? button.children}
      description={ask}
      confirm={button.children}
      onConfirm={run}
      pending={pending}
      trigger={<Button ref={ref} {...button} pending={pending} />}
    />
  );
}
