import type { Filters } from "./post-filters.ts";

/** Orders of the deck with a button of their own. */
export const deskModes = ["oldest", "ai_unsure", "author"] as const;
export type DeskMode = (typeof deskModes)[number];

/** Null for another order. */
export function modeOf({ order = "oldest" }: Filters): DeskMode | null {
  return deskModes.find((mode) => mode === order) ?? null;
}

export function withMode(filters: Filters, mode: DeskMode): Filters {
  const { order: _order, ...rest } = filters;
  return mode === "oldest" ? rest : { ...rest, order: mode };
}

/** The mode after the present one. */
export function nextMode(filters: Filters): Filters {
  const current = modeOf(filters);
  const at = current === null ? -1 : deskModes.indexOf(current);
  return withMode(filters, deskModes[(at + 1) % deskModes.length] ?? "oldest");
}
