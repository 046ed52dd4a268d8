export interface WaitLimits {
  /** Tasks in the queue. */
  most?: number;
  /** Milliseconds in the queue. */
  patience?: number;
  refusal: () => Error;
}

/**
 * Runs at most `most` tasks at a time and queues the others.
 *
 * @throws the refusal when the queue is full or the task waited too long
 */
export function limited(most: number, limits?: WaitLimits): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting = new Set<() => void>();
  const place = () =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(late);
        resolve();
      };
      const late =
        limits?.patience === undefined
          ? undefined
          : setTimeout(() => {
              waiting.delete(begin);
              reject(limits.refusal());
            }, limits.patience);
      waiting.add(begin);
    });
  return async (task) => {
    if (running >= most) {
      if (limits !== undefined && waiting.size >= (limits.most ?? Infinity)) throw limits.refusal();
      await place();
    } else running++;
    try {
      return await task();
    } finally {
      // The place is passed on directly, so that no new task overtakes a queued one.
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else running--;
    }
  };
}
