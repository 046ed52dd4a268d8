const MAX_PAUSE_MS = 15_000;

/**
 * Retries until it succeeds, after pauses of one to fifteen seconds or when the browser is online again.
 * Never rejects, because an error while a component loads would replace the whole page.
 */
export async function retryImport<T>(load: () => Promise<T>): Promise<T> {
  for (let pause = 1_000; ; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
    try {
      return await load();
    } catch {
      await connectionOr(pause);
    }
  }
}

/** Resolves when the browser goes online, or after `ms`. */
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
