import { ChevronLeft, ChevronRight } from "lucide-react";
import NextLink from "next/link";
import { formatCount } from "#components/format.ts";
import { buttonClass } from "./button.tsx";

export interface PaginationProps {
  skip: number;
  limit: number;
  total: number;
  /** Counting stopped at `total`. */
  more?: boolean;
  hrefFor: (skip: number) => string;
}

/** Links to the previous and next page. Nothing for an empty list. */
export function Pagination({ skip, limit, total, more = false, hrefFor }: PaginationProps) {
  if (total === 0) return null;
  const hasNext = more || skip + limit < total;
  const last = hasNext ? skip + limit : Math.min(skip + limit, total);
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-13 text-muted"
    >
      <p className="tabular">
        {skip < last ? `${formatCount(skip + 1)}–${formatCount(last)}` : "–"}
        {` of ${formatCount(total)}${more ? "+" : ""}`}
      </p>
      <div className={skip === 0 && !hasNext ? "hidden" : "flex gap-2"}>
        <Step href={skip > 0 ? hrefFor(Math.max(0, skip - limit)) : null} rel="prev" />
        <Step href={hasNext ? hrefFor(skip + limit) : null} rel="next" />
      </div>
    </nav>
  );
}

function Step({ href, rel }: { href: string | null; rel: "prev" | "next" }) {
  const content =
    rel === "prev" ? (
      <>
        <ChevronLeft aria-hidden /> Previous
      </>
    ) : (
      <>
        Next <ChevronRight aria-hidden />
      </>
    );
  const look = buttonClass("quiet", "sm", "text-text");
  // A disabled link keeps its place.
  return href === null ? (
    <a role="link" aria-disabled="true" className={look}>
      {content}
    </a>
  ) : (
    <NextLink href={href} rel={rel} className={look}>
      {content}
    </NextLink>
  );
}
