import type { ReactNode } from "react";
import { formatCount } from "#components/format.ts";
import { FigureLink } from "./figure-link.tsx";

export interface BarListProps {
  label: string;
  tone: "reject" | "warn";
  /** `href`: the posts that the figure counts. */
  items: readonly { key: string; name: ReactNode; value: number; href: string }[];
}

/** Posts by reason. */
export function BarList({ label, items, tone }: BarListProps) {
  const max = Math.max(1, ...items.map((item) => item.value));
  return (
    <table className="w-full table-fixed border-separate border-spacing-y-0.5 text-13 leading-[1.35]">
      <caption className="hidden-visually">{label}</caption>
      <thead>
        <tr className="text-12 text-muted">
          <th scope="col" className="h-7 text-start font-medium">
            Reason
          </th>
          <th scope="col" className="w-24 text-end font-medium">
            Posts
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.key}>
            <th scope="row" className="relative h-8 px-2 text-start font-normal">
              <span
                aria-hidden
                data-bar="frame"
                className="absolute inset-y-0.5 start-0 rounded-sm opacity-24"
                style={{ width: `${(item.value / max) * 100}%`, background: `var(--${tone}-fill)` }}
              />
              <span dir="auto" className="relative block truncate">
                {item.name}
              </span>
            </th>
            <td className="tabular text-end">
              <FigureLink href={item.href}>{formatCount(item.value)}</FigureLink>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
