"use client";
import { useId, type ComponentProps, type ReactNode } from "react";
import { cn } from "./cn.ts";

interface Labels {
  label: ReactNode;
  hint?: ReactNode;
  hideLabel?: boolean;
}

interface SwitchProps extends Omit<ComponentProps<"input">, "type" | "size">, Labels {}

const native = "mt-0.5 size-4 shrink-0 accent-(--accent-fill) disabled:opacity-50";

export function Checkbox({ indeterminate = false, ...rest }: SwitchProps & { indeterminate?: boolean }) {
  return (
    <Labelled
      {...rest}
      type="checkbox"
      ref={(input) => {
        if (input) input.indeterminate = indeterminate;
      }}
      look={native}
    />
  );
}

export function Switch(props: SwitchProps) {
  return (
    <Labelled
      {...props}
      type="checkbox"
      role="switch"
      look="relative mt-px h-4.5 w-8 shrink-0 appearance-none rounded-full border border-line-strong bg-wash transition-colors before:absolute before:start-0.5 before:top-0.5 before:size-3 before:rounded-full before:bg-line-strong before:transition-transform checked:border-(--accent-fill) checked:bg-accent checked:before:translate-x-3.5 checked:before:bg-on-accent disabled:opacity-50 rtl:checked:before:-translate-x-3.5"
    />
  );
}

/** A control with its label. `className` styles the label, `look` the control. */
function Labelled({
  label,
  hint,
  hideLabel,
  className,
  look,
  ...input
}: Omit<ComponentProps<"input">, "size"> & Labels & { look: string }) {
  const hintId = useId();
  return (
    <label
      className={cn(
        // The label is the click target: 24 px high without a taller line.
        "-my-1 inline-flex min-w-0 items-start gap-2 py-1 text-14 pointer-coarse:my-0 pointer-coarse:min-h-11 pointer-coarse:py-3",
        hideLabel && "-mx-1 px-1",
        className,
      )}
    >
      <input aria-describedby={hint ? hintId : undefined} className={look} {...input} />
      <span className={cn("min-w-0 wrap-anywhere", hideLabel && "hidden-visually")}>
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

export interface RadioGroupProps {
  label: string;
  options: readonly { value: string; label: ReactNode; hint?: ReactNode }[];
  value: string;
  /** Without it the group is uncontrolled, and `value` is the default. */
  onChange?: (value: string) => void;
  name?: string;
}

export function RadioGroup({ label, options, value: chosen, onChange, name: given }: RadioGroupProps) {
  const own = useId();
  return (
    <div role="radiogroup" aria-label={label} className="flex flex-col gap-2">
      {options.map(({ value, ...labels }) => (
        <Labelled
          key={value}
          {...labels}
          type="radio"
          name={given ?? own}
          value={value}
          look={native}
          {...(onChange
            ? { checked: value === chosen, onChange: () => onChange(value) }
            : { defaultChecked: value === chosen })}
        />
      ))}
    </div>
  );
}
