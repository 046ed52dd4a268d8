/** Changed in this tab, or null. */
let changed: boolean | null = null;

export function setSingleKeys(on: boolean): void {
  changed = on;
}

/** @param stored the member's preference when the page was rendered */
export function hasSingleKeys(stored: boolean): boolean {
  return changed ?? stored;
}
