/**
 * Lets everybody who asks for the same thing at the same time wait for one piece of work. Nothing is kept once it is
 * done.
 */
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
