/** Rest of the tags, entities or characters of untrusted markup that may be read, because parsing is slow. */
export interface Budget {
  left: number;
}

/** @param max limit of one entry; a page of ordinary entries takes a fraction of it */
export function pageBudget(max: number): Budget {
  return { left: 10 * max };
}

/** Reads one entry within the budget of its page. At least a tenth of `max` is left for it, whatever hostile entries took. */
export function withinBudget<T>(page: Budget, max: number, read: (budget: Budget) => T): T {
  const allowance = Math.max(max / 10, Math.min(max, page.left));
  const budget = { left: allowance };
  try {
    return read(budget);
  } finally {
    page.left -= allowance - Math.max(0, budget.left);
  }
}
