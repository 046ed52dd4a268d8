/**
 * Longest time for which the work keeps this thread from other events, in milliseconds of its processor time, so that
 * other programs do not change it.
 */
export async function longestBlockingTime(work: () => Promise<unknown>): Promise<number> {
  let ended = false;
  let longest = 0;
  let before = process.threadCpuUsage();
  const measure = () => {
    const spent = process.threadCpuUsage(before);
    longest = Math.max(longest, (spent.user + spent.system) / 1000);
    before = process.threadCpuUsage();
    if (!ended) setImmediate(measure);
  };
  setImmediate(measure);
  await work().finally(() => (ended = true));
  measure();
  return longest;
}
