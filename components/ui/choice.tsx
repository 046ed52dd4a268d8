"use client";
import { Check, Minus } from "lucide-react";
import { useEffect, useId, useRef, type ComponentProps, type ReactNode } from "react";
import { cn } from "./cn.ts";

interface LabelledInput extends Omit<ComponentProps<"input">, "type" | "size"> {
  label: ReactNode;
  hint?: ReactNode;
  hideLabel?: boolean;
}

export interface CheckboxProps extends LabelledInput {
  indeterminate?: boolean;
}

export function Checkbox({
  label,
  hint,
  hideLabel,
  indeterminate = false,
  className,
  ...rest
}: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  }, [indeterminate, rest.checked]);
  return (
    <Labelled label={label} hint={hint} hideLabel={hideLabel} className={className}>
      {(hintId) => (
        <span className="relative mt-0.5 inline-flex size-4 shrink-0">
          <input
            ref={input}
            type="checkbox"
            aria-describedby={hintId}
            className="peer size-4 appearance-none rounded-sm border border-line-strong bg-surface transition-colors checked:border-(--accent-fill) checked:bg-accent indeterminate:border-(--accent-fill) indeterminate:bg-accent disabled:opacity-50"
            {...rest}
          />
          <Check
            aria-hidden
            strokeWidth={3}
            className="pointer-events-none absolute inset-0 m-auto hidden size-3 text-on-accent peer-checked:block peer-indeterminate:hidden"
          />
          <Minus
            aria-hidden
            strokeWidth={3}
            className="pointer-events-none absolute inset-0 m-auto hidden size-3 text-on-accent peer-indeterminate:block"
          />
        </span>
      )}
    </Labelled>
  );
}

export function Switch({ label, hint, hideLabel, className, ...rest }: LabelledInput) {
  return (
    <Labelled label={label} hint={hint} hideLabel={hideLabel} className={className}>
      {(hintId) => (
        <span className="relative mt-px inline-flex h-4.5 w-8 shrink-0">
          <input
            type="checkbox"
            role="switch"
            aria-describedby={hintId}
            className="peer h-4.5 w-8 appearance-none rounded-full border border-line-strong bg-wash transition-colors checked:border-(--accent-fill) checked:bg-accent disabled:opacity-50"
            {...rest}
          />
          <span
            aria-hidden
            className="pointer-events-none absolute start-0.75 top-0.75 size-3 rounded-full bg-line-strong transition-transform peer-checked:translate-x-3.5 peer-checked:bg-on-accent rtl:peer-checked:-translate-x-3.5"
          />
        </span>
      )}
    </Labelled>
  );
}

export type SwitchProps = LabelledInput;

function Labelled({
  label,
  hint,
  hideLabel,
  className,
  children,
}: {
  label: ReactNode;
  hint: ReactNode;
  hideLabel: boolean | undefined;
  className: string | undefined;
  children: (hintId: string | undefined) => ReactNode;
}) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  return (
    <label
      className={cn(
        // Also the target: 24 px without more height of its line.
        "-my-1 inline-flex min-w-0 items-start gap-2 py-1 text-14 pointer-coarse:my-0 pointer-coarse:min-h-11 pointer-coarse:py-3",
        hideLabel && "-mx-1 px-1",
        className,
      )}
    >
      {children(hintId)}
      <span className={cn("min-w-0", hideLabel && "hidden-visually")}>
        {label}
        {hint ? (
          <span id={hintId} className="block text-12 text-muted">
            {hint}
          </span>
        ) : null}
      </span>
    </label>
  );
}

export interface Choice {
  value: string;
  label: ReactNode;
  hint?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
}

export interface ChoiceGroupProps {
  label: string;
  options: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
}

export interface RadioGroupProps extends Omit<ChoiceGroupProps, "onChange"> {
  /** Without it, a field of a form, with `value` chosen first. */
  onChange?: (value: string) => void;
  name?: string;
}

export function RadioGroup({ label, options, value, onChange, name: given }: RadioGroupProps) {
  const own = useId();
  const name = given ?? own;
  return (
    <div role="radiogroup" aria-label={label} className="flex flex-col gap-2">
      {options.map((option) => (
        <Labelled
          key={option.value}
          label={option.label}
          hint={option.hint}
          hideLabel={false}
          className={undefined}
        >
          {(hintId) => (
            <input
              type="radio"
              name={name}
              value={option.value}
              disabled={option.disabled}
              aria-describedby={hintId}
              className="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-line-strong bg-surface transition-colors checked:border-5 checked:border-(--accent-fill) disabled:opacity-50"
              {...(onChange
                ? { checked: option.value === value, onChange: () => onChange(option.value) }
                : { defaultChecked: option.value === value })}
            />
          )}
        </Labelled>
      ))}
    </div>
  );
}

/** For two to five short options. */
export function SegmentedControl({ label, options, value, onChange }: ChoiceGroupProps) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex h-control-sm w-fit max-w-full rounded-md border border-line-strong bg-surface p-0.5 slim:h-auto slim:flex-wrap"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative inline-flex items-center gap-1.5 rounded-sm px-2.5 text-13 font-medium text-muted transition-colors hover:text-text has-checked:bg-accent-quiet has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent [&_svg]:size-4"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            disabled={option.disabled}
            className="absolute inset-0 appearance-none outline-none"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </div>
  );
}
