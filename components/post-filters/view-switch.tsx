import { GalleryVerticalEnd, LayoutGrid } from "lucide-react";
import NextLink from "next/link";
import { cn } from "#components/ui/cn.ts";
import type { Filters } from "#lib/client/desk/post-filters.ts";
import type { FilterControl } from "./use-filters.ts";

const views = [
  { view: "deck", label: "Deck", icon: GalleryVerticalEnd },
  { view: "grid", label: "Grid", icon: LayoutGrid },
] as const;

export function ViewSwitch({ control, current }: { control: FilterControl; current: "deck" | "grid" }) {
  return (
    <nav
      aria-label="View"
      className="inline-flex h-control-sm shrink-0 rounded-md border border-line-strong bg-surface p-0.5"
    >
      {views.map(({ view, label, icon: Icon }) => (
        <NextLink
          key={view}
          href={control.viewHref(view === "deck" ? null : view)}
          prefetch={false}
          title={label}
          aria-current={view === current ? "page" : undefined}
          className={cn(
            "inline-flex items-center gap-1.5 rounded-sm px-2.5 text-13 font-medium transition-colors",
            view === current ? "bg-accent-quiet text-text" : "text-muted hover:text-text",
          )}
        >
          <Icon aria-hidden className="size-4" />
          <span className="max-[90rem]:hidden-visually">{label}</span>
        </NextLink>
      ))}
    </nav>
  );
}

const orders = [
  { order: "oldest", name: "Oldest" },
  { order: "newest", name: "Newest" },
  { order: "ai_unsure", name: "Doubts first" },
  { order: "author", name: "By author" },
] as const;

export function OrderSwitch({ control: { filters, setFilters } }: { control: FilterControl }) {
  const withOrder = (order: string): Filters => {
    const { order: _order, ...rest } = filters;
    return order === "oldest" ? rest : { ...rest, order };
  };
  return (
    <div
      role="group"
      aria-label="Order"
      className="inline-flex h-control-sm shrink-0 rounded-md border border-line-strong bg-surface p-0.5 max-desk:order-last max-desk:w-full"
    >
      {orders.map(({ order, name }) => (
        <button
          key={order}
          type="button"
          aria-pressed={order === (filters.order ?? "oldest")}
          onClick={() => setFilters(withOrder(order))}
          className="rounded-sm px-2 text-13 font-medium whitespace-nowrap text-muted transition-colors hover:text-text aria-pressed:bg-accent-quiet aria-pressed:text-text max-desk:flex-auto max-desk:px-1"
        >
          {name}
        </button>
      ))}
    </div>
  );
}
