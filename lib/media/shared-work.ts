/** Parallel calls with the same key share one task. The result is not kept. */
export function sharedWork<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const found = underWay.get(key);
    if (found) return found;
    const started = work().finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
}
