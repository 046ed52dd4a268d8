/** The longest pause between two tries, in milliseconds. */
const LONGEST = 15_000;

/**
 * Fetches code that a page left for later, again and again until it comes: at once when the browser says that the
 * connection is back, otherwise after pauses that grow from one second to fifteen. Never rejects, because a part of
 * a page that throws takes the whole page with it.
 */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (let pause = 1_000; ; pause = Math.min(LONGEST, pause * 2)) {
    try {
      return await load();
    } catch {
      await connectionOr(pause);
    }
  }
}

function connectionOr(ms: number): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      done();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
  });
}
