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
import type { Answer, FormAction } from "#lib/accounts/form-action.ts";
import { ApiFailure } from "#lib/client/api-failure.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { AlertDialog } from "./dialog.tsx";
import { Field, type FieldProps } from "./field.tsx";
import { formErrors, type FieldErrors, type FormErrors } from "./form-errors.ts";
import { Notice } from "./states.tsx";
import { notifyDone, notifyFailed, type NotifyOptions } from "./toast.tsx";

export type Fields = Readonly<Record<string, unknown>>;

interface ActionOptions<Made> extends NotifyOptions {
  onDone?: (made: Made | undefined) => void;
}

/** Says what was done, and goes where the answer leads. A browser that has lost its session leaves the page. */
function useTell() {
  const router = useRouter();
  return (answer: Answer, toast?: NotifyOptions) => {
    if ("failure" in answer) return notifyFailed("The change failed", new ApiFailure(answer.failure));
    if (answer.leave !== undefined) return window.location.assign(answer.leave);
    if (answer.said !== "") notifyDone(answer.said, toast);
    if (answer.open !== undefined) router.push(answer.open);
  };
}

/** Without an answer, as without a network, React would replace the page by its error. */
async function attempt<Made>(action: FormAction<Made>, fields: FormData | Fields): Promise<Answer<Made>> {
  try {
    return await action(null, fields);
  } catch (error) {
    unstable_rethrow(error);
    const detail = "The server did not answer. Reload the page and try again";
    return { failure: { status: 0, detail, errors: [], requestId: "" } };
  }
}

/** Runs a server action without a form. Its toast is not an effect, because the answer may remove the button. */
export function useAction<Made>(action: FormAction<Made>, { onDone, ...toast }: ActionOptions<Made> = {}) {
  const tell = useTell();
  const [pending, start] = useTransition();
  const send = (fields: Fields) =>
    start(async () => {
      const answer = await attempt(action, fields);
      tell(answer, toast);
      if (!("failure" in answer)) onDone?.(answer.made);
    });
  return { send, pending };
}

/** Runs a server action for a script. @throws ApiFailure */
export async function runAction<Made>(action: FormAction<Made>, fields: Fields): Promise<Made | undefined> {
  const answer = await attempt(action, fields);
  if ("failure" in answer) throw new ApiFailure(answer.failure);
  return answer.made;
}

const NO_FIELDS = {};
const FormContext = createContext<FormErrors & { pending: boolean }>({
  at: () => undefined,
  form: undefined,
  pending: false,
});

export interface ActionFormProps<Made> extends Omit<ComponentProps<"form">, "action" | "children"> {
  action: FormAction<Made>;
  /** A constant. */
  errors?: FieldErrors;
  /** Empties the fields when the action is done. */
  clears?: boolean;
  onDone?: (made: Made | undefined) => void;
  /** A function gets what the action made, until something is typed. */
  children: ReactNode | ((made: Made | undefined) => ReactNode);
}

/** Works before scripts have loaded. Its errors stand at `ActionField`s until something is typed. */
export function ActionForm<Made>({
  action,
  errors: sentences = NO_FIELDS,
  clears,
  onDone,
  children,
  ...form
}: ActionFormProps<Made>) {
  const element = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Answer<Made> | null>(null);
  // Without scripts the browser posts to the server's action itself.
  const [posted, post] = useActionState<Answer<Made> | null, FormData>(action, null);
  const tell = useTell();
  // Says it at once, not in an effect: the answer may remove the form.
  const [sent, send, pending] = useActionState<Answer<Made> | null, FormData>(async (_before, fields) => {
    const reply = await attempt(action, fields);
    if ("failure" in reply) return reply;
    if (clears === true) element.current?.reset();
    // First, because it may take a parameter from the address.
    onDone?.(reply.made);
    tell(reply);
    return reply;
  }, null);
  const answer = sent ?? posted;
  const shown = answer === typed ? null : answer;
  const errors = useMemo(() => {
    const failed = shown !== null && "failure" in shown;
    return { ...formErrors(sentences, failed ? new ApiFailure(shown.failure) : undefined), pending };
  }, [shown, sentences, pending]);
  return (
    <FormContext value={errors}>
      <form
        ref={element}
        action={post}
        // Without React's reset, which would empty a refused form.
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget, event.nativeEvent.submitter);
          if (!pending) startTransition(() => send(fields));
        }}
        onInput={() => setTyped(answer)}
        {...form}
      >
        {typeof children !== "function"
          ? children
          : children(shown === null || "failure" in shown ? undefined : shown.made)}
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

/** Errors of a group of controls. */
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
  /** Asks first, with this explanation under the button's own name. */
  ask?: string;
  onDone?: () => void;
}

/** A button that runs a server action. When it goes with its row, its panel gets the focus. */
export function ActionButton({ action, fields = {}, ask, onDone, ...button }: ActionButtonProps) {
  const { send, pending } = useAction(action, onDone && { onDone });
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
