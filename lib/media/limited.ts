/** Runs at most `most` tasks at a time and queues the others. */
export function limited(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      // The slot is passed on directly, so that no new task overtakes a queued one.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
