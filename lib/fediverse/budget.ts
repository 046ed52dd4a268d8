/** Tags, entities or characters of untrusted markup that may still be read: it is slow to parse. */
export interface Budget {
  left: number;
}

/** @param most of one entry; a page of ordinary entries takes a fraction of it */
export function pageBudget(most: number): Budget {
  return { left: 10 * most };
}

/** Reads one entry within the budget of its page. A tenth of `most` is always left: hostile entries spoil no ordinary ones. */
export function withinBudget<T>(page: Budget, most: number, read: (budget: Budget) => T): T {
  const allowance = Math.max(most / 10, Math.min(most, page.left));
  const budget = { left: allowance };
  try {
    return read(budget);
  } finally {
    page.left -= allowance - Math.max(0, budget.left);
  }
}
