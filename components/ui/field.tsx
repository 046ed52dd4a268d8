"use client";
import { CircleAlert } from "lucide-react";
import { createContext, useContext, useId, useMemo, type ReactNode } from "react";
import { cn } from "./cn.ts";

interface FieldWiring {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

const FieldContext = createContext<FieldWiring | null>(null);

/** Attributes that connect a control with its field. */
export function useFieldWiring(required?: boolean) {
  const field = useContext(FieldContext);
  return {
    id: field?.id,
    required: required ?? field?.required,
    "aria-describedby": field?.describedBy,
    "aria-invalid": field?.invalid || undefined,
  };
}

export interface FieldProps {
  label: ReactNode;
  children: ReactNode;
  hint?: ReactNode;
  /** Shown instead of the hint. */
  error?: ReactNode;
  required?: boolean;
  optional?: boolean;
  hideLabel?: boolean;
  className?: string;
}

export function Field({
  label,
  children,
  hint,
  error,
  required = false,
  optional = false,
  hideLabel = false,
  className,
}: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  const hasNote = note !== undefined && note !== null && note !== "";
  const invalid = error !== undefined && error !== null && error !== "";
  const wiring = useMemo(
    () => ({ id, describedBy: hasNote ? noteId : undefined, invalid, required }),
    [id, noteId, hasNote, invalid, required],
  );
  return (
    <FieldContext value={wiring}>
      <div className={cn("flex min-w-0 flex-col gap-1", className)}>
        <label htmlFor={id} className={hideLabel ? "hidden-visually" : "text-13 font-medium"}>
          {label}
          {optional ? <span className="font-normal text-muted"> (optional)</span> : null}
        </label>
        {children}
        {hasNote ? (
          <p id={noteId} className={cn("flex gap-1 text-12", invalid ? "text-reject" : "text-muted")}>
            {invalid ? <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" /> : null}
            <span className="min-w-0">{note}</span>
          </p>
        ) : null}
      </div>
    </FieldContext>
  );
}

export function FieldSet({ legend, children }: { legend: ReactNode; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-13 font-medium">{legend}</legend>
      {children}
    </fieldset>
  );
}
