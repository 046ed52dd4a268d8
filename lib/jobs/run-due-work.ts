/**
 * Does what is due now: claims one piece of work after the other until nothing is left, the deadline has come
 * or the signal aborts. Any number of processes may call it at once.
 * @returns whether there was anything to do; if so the caller asks again at once
 */
export function runDueWork(_limits: { deadline: Date; signal: AbortSignal }): Promise<{ worked: boolean }> {
  return Promise.resolve({ worked: false });
}
