"use client";
import { ChevronDown } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn.ts";
import { useFieldWiring } from "./field.tsx";

const look =
  "w-full min-w-0 rounded-md border border-line-strong bg-surface text-14 text-text transition-colors " +
  "placeholder:text-muted hover:border-muted disabled:opacity-50 aria-invalid:border-reject " +
  "focus-visible:outline-offset-0";

/** Styles the browser's file button as a small button. */
const fileLook =
  "max-w-full text-13 text-muted file:me-3 file:h-control-sm file:rounded-md file:border file:border-line-strong file:bg-surface " +
  "file:px-2.5 file:text-13 file:font-medium file:text-text hover:file:bg-wash";

export type ControlSize = "sm" | "md";

export interface InputProps extends Omit<ComponentProps<"input">, "size"> {
  size?: ControlSize;
  lead?: ReactNode;
}

export function Input({ size = "md", lead, className, required, ...rest }: InputProps) {
  const wiring = useFieldWiring(required);
  const input = (
    <input
      {...wiring}
      dir="auto"
      className={cn(
        rest.type === "file" ? fileLook : [look, size === "sm" ? "h-control-sm px-2" : "h-control px-2.5"],
        lead && "ps-8",
        className,
      )}
      {...rest}
    />
  );
  if (!lead) return input;
  return (
    <div className="relative min-w-0 flex-1">
      <span className="pointer-events-none absolute inset-y-0 start-2.5 flex items-center text-muted [&_svg]:size-4">
        {lead}
      </span>
      {input}
    </div>
  );
}

/** Grows with its text in browsers that support `field-sizing`. */
export function Textarea({ className, rows = 3, ...rest }: ComponentProps<"textarea">) {
  const wiring = useFieldWiring();
  return (
    <textarea
      {...wiring}
      dir="auto"
      rows={rows}
      className={cn(look, "field-sizing-content min-h-18 px-2.5 py-2 leading-normal", className)}
      {...rest}
    />
  );
}

export interface SelectOption {
  value: string;
  label: string;
}

export interface SelectProps extends Omit<ComponentProps<"select">, "size"> {
  options: readonly SelectOption[];
  size?: ControlSize;
  placeholder?: string;
}

/** A native select: phones show their own picker, and it works without scripts. */
export function Select({ options, size = "md", placeholder, className, ...rest }: SelectProps) {
  const wiring = useFieldWiring();
  return (
    <div className={cn("relative min-w-0", className)}>
      <select
        {...wiring}
        className={cn(
          look,
          "appearance-none truncate pe-8",
          size === "sm" ? "h-control-sm ps-2" : "h-control ps-2.5",
        )}
        {...rest}
      >
        {placeholder === undefined ? null : <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 end-2.5 my-auto size-4 text-muted"
      />
    </div>
  );
}
