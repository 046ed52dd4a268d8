import { words } from "#components/words/en.ts";
import type { FilterName, Filters } from "#lib/client/desk-filters.ts";

/** A filter that only lists have, in words, or null; apart from the others, so that the deck loads none of these words. */
export function listFilterWords(name: FilterName, filters: Filters): string | null {
  const value = filters[name] ?? "";
  if (name !== "held_by") return null;
  return value === "any"
    ? words.queue.heldTitle
    : words.queue.heldChip(words.queue.heldReasons[value]?.name ?? value);
}
