import NextLink from "next/link";
import type { ReactNode } from "react";
import { formatCount } from "#components/format.ts";
import type { FigureName } from "#lib/base/figures-schema.ts";
import { cn } from "./cn.ts";
import { FigureHelp } from "./figure-help.tsx";

export interface StatProps {
  label: string;
  value: number | string;
  hint?: ReactNode;
  /** Link to the posts that the value counts. */
  href?: string;
  /** Figure whose definition is offered. */
  figure?: FigureName;
  className?: string;
}

export function Stat({ label, value, hint, href, figure, className }: StatProps) {
  const body = (
    <>
      <span dir="auto" className="block truncate pe-5 text-13 text-muted">
        {label}
      </span>
      <span className="mt-1 block">
        <span data-figure={figure} className="tabular text-20 font-semibold tracking-tight">
          {typeof value === "number" ? formatCount(value) : value}
        </span>
      </span>
      {hint ? <span className="mt-0.5 block text-12 text-muted">{hint}</span> : null}
    </>
  );
  return (
    <div className={cn("relative min-w-0", className)}>
      {href ? (
        <NextLink
          href={href}
          prefetch={false}
          className="block focus-visible:-outline-offset-2 hover:[&>span:first-child]:underline"
        >
          {body}
        </NextLink>
      ) : (
        body
      )}
      {figure ? (
        <FigureHelp
          figure={figure}
          label={label}
          className="absolute end-1.5 top-2.5 pointer-coarse:end-0 pointer-coarse:top-0"
        />
      ) : null}
    </div>
  );
}

/** Two per row on phones. */
export function StatRow({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line desk:flex desk:flex-wrap wide:grid wide:auto-cols-fr wide:grid-flow-col wide:grid-cols-none *:bg-surface max-wide:*:grow max-wide:*:basis-32 *:px-4 *:py-3">
      {children}
    </div>
  );
}
