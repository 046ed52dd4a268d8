/** Seconds. A post may be approved at any time, so no consumer should wait for longer. */
const LONGEST_WAIT = 30;

/** Whole seconds until `until`, from 1 to 30, for `Retry-After`. */
export function retryAfter(until: Date | null, otherwise = LONGEST_WAIT): string {
  const seconds = until === null ? otherwise : Math.ceil((until.getTime() - Date.now()) / 1000);
  return String(Math.min(LONGEST_WAIT, Math.max(1, seconds)));
}
