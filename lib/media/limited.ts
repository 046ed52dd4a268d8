interface WaitLimits {
  /** Sum of the sizes of tasks in the queue. */
  maxWaitingSize?: number;
  /** Time in the queue. */
  maxWaitMs?: number;
  refusal: () => Error;
}

/**
 * Makes a function that runs at most `maxRunning` tasks at a time and queues the others. It takes a task and its size in the unit
 * of `maxWaitingSize`, and throws the refusal when the queue is full or the task waited too long.
 */
export function limited(
  maxRunning: number,
  { maxWaitingSize = Infinity, maxWaitMs, refusal }: WaitLimits,
): <T>(task: () => Promise<T>, size?: number) => Promise<T> {
  let running = 0;
  const waiting = new Map<() => void, number>();
  const waitForSlot = (size: number) =>
    new Promise<void>((resolve, reject) => {
      const late = maxWaitMs === undefined ? undefined : setTimeout(() => refuse(), maxWaitMs);
      const begin = () => {
        clearTimeout(late);
        resolve();
      };
      const refuse = () => {
        waiting.delete(begin);
        reject(refusal());
      };
      waiting.set(begin, size);
    });
  return async (task, size = 0) => {
    if (running >= maxRunning) {
      const waitingSize = [...waiting.values()].reduce((sum, each) => sum + each, 0);
      if (waitingSize + size > maxWaitingSize) throw refusal();
      await waitForSlot(size);
    } else running++;
    try {
      return await task();
    } finally {
      // The slot is passed on directly, so that no new task overtakes a queued one.
      const [next] = waiting.keys();
      if (next) {
        waiting.delete(next);
        next();
      } else running--;
    }
  };
}

/** Makes a function whose parallel calls with the same key share one task. The result is not kept. */
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
