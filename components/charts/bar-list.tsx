import NextLink from "next/link";
import type { ReactNode } from "react";
import { formatCount } from "#components/format.ts";
import { FigureLink } from "./figure-link.tsx";
import { toneFill, type SeriesTone } from "./series.ts";

export interface BarListProps {
  label: string;
  nameLabel: string;
  valueLabel: string;
  /** `href`: page of the name. `listHref`: list behind the figure. */
  items: readonly {
    key: string;
    name: ReactNode;
    value: number;
    href?: string;
    listHref?: string;
    /** Level of a part of the item above. */
    indent?: number;
  }[];
  tone?: SeriesTone;
}

export function BarList({ label, nameLabel, valueLabel, items, tone = "accent" }: BarListProps) {
  const max = Math.max(1, ...items.map((item) => item.value));
  return (
    <table className="w-full table-fixed border-separate border-spacing-y-0.5 text-13 leading-[1.35]">
      <caption className="hidden-visually">{label}</caption>
      <thead>
        <tr className="text-12 text-muted">
          <th scope="col" className="h-7 text-start font-medium">
            {nameLabel}
          </th>
          <th scope="col" className="w-24 text-end font-medium">
            {valueLabel}
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
                style={{ width: `${(item.value / max) * 100}%`, background: toneFill[tone] }}
              />
              <span
                dir="auto"
                className="relative block truncate"
                style={{ paddingInlineStart: `${(item.indent ?? 0) * 1.25}rem` }}
              >
                {item.href ? (
                  <NextLink href={item.href} className="-my-1.25 rounded-sm py-1.25 hover:underline">
                    {item.name}
                  </NextLink>
                ) : (
                  item.name
                )}
              </span>
            </th>
            <td className="tabular text-end">
              <FigureLink href={item.listHref ?? null}>{formatCount(item.value)}</FigureLink>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
