/** A post may be approved at any time, so no consumer should wait for longer. */
const MAX_WAIT_SECONDS = 30;

/**
 * Value of `Retry-After`: whole seconds until a time, from 1 to 30.
 *
 * @param fallback seconds when there is no such time
 */
export function retryAfter(until: Date | null, fallback = MAX_WAIT_SECONDS): string {
  const seconds = until === null ? fallback : Math.ceil((until.getTime() - Date.now()) / 1000);
  return String(Math.min(MAX_WAIT_SECONDS, Math.max(1, seconds)));
}
