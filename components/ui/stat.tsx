import { ArrowDownRight, ArrowUpRight } from "lucide-react";
import NextLink from "next/link";
import type { ReactNode } from "react";
import { formatCount } from "#components/format.ts";
import type { FigureName } from "#lib/base/figures-schema.ts";
import { cn } from "./cn.ts";
import { FigureHelp } from "./figure-help.tsx";

export interface StatProps {
  label: string;
  /** Null or undefined while it loads. */
  value: number | string | null | undefined;
  delta?: number | null;
  hint?: ReactNode;
  href?: string;
  hintHref?: string;
  /** Shows its definition. */
  figure?: FigureName;
  className?: string;
}

export function Stat(props: StatProps) {
  const { label, value, delta, hint, href, hintHref, figure, className } = props;
  const counting = value === null || value === undefined;
  const body = (
    <>
      <span dir="auto" className={cn("block truncate text-13 text-muted", figure && "pe-5")}>
        {label}
      </span>
      <span className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <span data-figure={figure} className="tabular text-20 font-semibold tracking-tight">
          {counting ? (
            <>
              <span aria-hidden>–</span>
              <span className="hidden-visually">Counting</span>
            </>
          ) : typeof value === "number" ? (
            formatCount(value)
          ) : (
            value
          )}
        </span>
        {delta === undefined || delta === null || counting ? null : (
          <span className="tabular inline-flex items-center gap-0.5 text-12 text-muted">
            {delta === 0 ? null : delta > 0 ? (
              <ArrowUpRight aria-hidden className="size-3.5" />
            ) : (
              <ArrowDownRight aria-hidden className="size-3.5" />
            )}
            {delta > 0 ? "+" : ""}
            {formatCount(delta)}
          </span>
        )}
      </span>
    </>
  );
  const under = hint ? <span className="mt-0.5 block text-12 text-muted">{hint}</span> : null;
  const look = cn("block min-w-0", className);
  const link = "focus-visible:-outline-offset-2 hover:[&>span:first-child]:underline";
  if (figure || (href && hintHref)) {
    return (
      <div className={cn(look, "relative")}>
        {href ? (
          <NextLink href={href} prefetch={false} className={cn("block", link)}>
            {body}
            {hintHref ? null : under}
          </NextLink>
        ) : (
          <>
            {body}
            {under}
          </>
        )}
        {href && hintHref ? (
          <NextLink
            href={hintHref}
            prefetch={false}
            className="block min-h-6 rounded-sm hover:underline pointer-coarse:min-h-11"
          >
            {under}
          </NextLink>
        ) : null}
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
  return href ? (
    <NextLink href={href} className={cn(look, link)}>
      {body}
      {under}
    </NextLink>
  ) : (
    <div className={look}>
      {body}
      {under}
    </div>
  );
}

/** Two per row on phones. */
export function StatRow({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={cn(
        "grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line desk:flex desk:flex-wrap wide:grid wide:auto-cols-fr wide:grid-flow-col wide:grid-cols-none *:bg-surface max-wide:*:grow max-wide:*:basis-32 *:px-4 *:py-3",
        className,
      )}
    >
      {children}
    </div>
  );
}
