/** A post may be approved at any time, so no consumer should wait for longer. */
const MAX_WAIT_SECONDS = 30;

/** Whole seconds until `until`, from 1 to 30, for `Retry-After`. */
export function retryAfter(until: Date | null, otherwise = MAX_WAIT_SECONDS): string {
  const seconds = until === null ? otherwise : Math.ceil((until.getTime() - Date.now()) / 1000);
  return String(Math.min(MAX_WAIT_SECONDS, Math.max(1, seconds)));
}
