"use client";
import { Check, Copy } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { cn } from "./cn.ts";

/** The confirmation is shown for this long. */
const CONFIRMATION_MS = 2000;

/** Copies a text, and shows whether that worked. */
function CopyButton({ value, ...look }: Pick<ButtonProps, "variant" | "size"> & { value: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    // Browsers offer the clipboard on https and localhost only.
    if (!("clipboard" in navigator)) return setState("failed");
    navigator.clipboard.writeText(value).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  };
  const Icon = state === "copied" ? Check : Copy;
  return (
    <>
      <Button onClick={copy} icon={<Icon aria-hidden />} className="min-w-24" {...look}>
        {state === "copied" ? "Copied" : "Copy"}
      </Button>
      <p role="status" className={state === "failed" ? "basis-full text-12 text-reject" : "hidden-visually"}>
        {state === "failed"
          ? "The browser refused to copy. Select the text and copy it yourself."
          : state === "copied"
            ? "Copied"
            : ""}
      </p>
    </>
  );
}

export interface CopyFieldProps {
  label: string;
  value: string;
  hint?: string;
  autoFocus?: boolean;
  className?: string;
}

export function CopyField({ label, value, hint, autoFocus, className }: CopyFieldProps) {
  const id = useId();
  return (
    <div className={cn("flex min-w-0 flex-col gap-1", className)}>
      <label htmlFor={id} className="text-13 font-medium">
        {label}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          readOnly
          value={value}
          autoFocus={autoFocus}
          onFocus={(event) => event.currentTarget.select()}
          spellCheck={false}
          className="h-control min-w-0 flex-1 rounded-md border border-line-strong bg-wash px-2.5 font-mono text-13"
        />
        <CopyButton value={value} />
      </div>
      {hint === undefined ? null : <p className="text-12 text-muted">{hint}</p>}
    </div>
  );
}

export interface CodeBlockProps {
  code: string;
  label: string;
  className?: string;
}

export function CodeBlock({ code, label, className }: CodeBlockProps) {
  return (
    <figure className={cn("min-w-0 overflow-hidden rounded-md border border-line bg-wash", className)}>
      <figcaption className="flex flex-wrap items-center justify-between gap-x-2 border-b border-line py-1 ps-3 pe-1 text-12 text-muted">
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {label}
        </span>
        <CopyButton value={code} variant="ghost" size="sm" />
      </figcaption>
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-12 leading-relaxed">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
