import type { ReactNode } from "react";
import { formatCount } from "#components/format.ts";
import { FigureLink } from "./figure-link.tsx";

export interface BarListProps {
  label: string;
  tone: "reject" | "warn";
  /** `href` links to the posts that the value counts. */
  items: readonly { key: string; name: ReactNode; value: number; href: string }[];
}

/** Numbers of posts by reason, as bars. */
export function BarList({ label, items, tone }: BarListProps) {
  const max = Math.max(1, ...items.map((item) => item.value));
  return (
    <ul aria-label={label} className="space-y-0.5 text-13">
      {items.map(({ key, name, value, href }) => (
        <li key={key} className="flex h-8 items-center gap-4">
          <span className="relative min-w-0 flex-1 px-2 leading-7">
            <span
              aria-hidden
              data-bar="frame"
              className="absolute inset-y-0 start-0 rounded-sm opacity-24"
              style={{ width: `${(value / max) * 100}%`, background: `var(--${tone}-fill)` }}
            />
            <span dir="auto" className="relative block truncate">
              {name}
            </span>
          </span>
          <span className="tabular">
            <FigureLink href={href}>{formatCount(value)}</FigureLink>
          </span>
        </li>
      ))}
    </ul>
  );
}
