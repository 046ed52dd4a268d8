"use client";
import { Check, Copy } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { cn } from "./cn.ts";
import { IconButton } from "./icon-button.tsx";

function useCopy(value: string): { state: "idle" | "copied" | "failed"; copy: () => void } {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = () => {
    const settle = (next: "copied" | "failed") => {
      setState(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setState("idle"), 2000);
    };
    // Missing on plain http except localhost.
    if (!("clipboard" in navigator)) {
      settle("failed");
      return;
    }
    navigator.clipboard.writeText(value).then(
      () => settle("copied"),
      () => settle("failed"),
    );
  };
  return { state, copy };
}

export interface CopyFieldProps {
  label: string;
  value: string;
  hint?: string;
  className?: string;
}

export function CopyField({ label, value, hint, className }: CopyFieldProps) {
  const id = useId();
  const { state, copy } = useCopy(value);
  return (
    <div className={cn("flex min-w-0 flex-col gap-1", className)}>
      <label htmlFor={id} className="text-13 font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          readOnly
          value={value}
          onFocus={(event) => event.currentTarget.select()}
          spellCheck={false}
          className="h-control min-w-0 flex-1 rounded-md border border-line-strong bg-wash px-2.5 font-mono text-13"
        />
        <Button
          onClick={copy}
          icon={state === "copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
          className="min-w-24"
        >
          {state === "copied" ? "Copied" : "Copy"}
        </Button>
      </div>
      {hint ? <p className="text-12 text-muted">{hint}</p> : null}
      <p role="status" className={state === "failed" ? "text-12 text-reject" : "hidden-visually"}>
        {state === "failed"
          ? "The browser refused to copy. Select the text and copy it yourself."
          : state === "copied"
            ? "Copied"
            : ""}
      </p>
    </div>
  );
}

export interface CodeBlockProps {
  code: string;
  label: string;
  className?: string;
}

export function CodeBlock({ code, label, className }: CodeBlockProps) {
  const { state, copy } = useCopy(code);
  return (
    <figure className={cn("min-w-0 overflow-hidden rounded-md border border-line bg-wash", className)}>
      <figcaption className="flex items-center justify-between gap-2 border-b border-line py-1 ps-3 pe-1 text-12 text-muted">
        <span dir="auto" className="truncate">
          {label}
        </span>
        <IconButton
          label={state === "copied" ? "Copied" : "Copy"}
          icon={state === "copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
          onClick={copy}
        />
      </figcaption>
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-12 leading-relaxed">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
