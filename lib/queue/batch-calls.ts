import { isDatabaseAway } from "#lib/base/errors.ts";

/** One batch runs while the other commits. */
const MAX_RUNNING = 2;
/** All calls of a batch fail when the database rejects the statement. */
const MAX_BATCH = 64;
/** Milliseconds after which a waiting call fails with the previous batch when the database is away. */
const MAX_WAIT = 2_000;

/**
 * A call runs at once while fewer than two batches run; otherwise it joins the next batch, in order of arrival. A
 * batch costs little more than one call (docs/decisions/0004-batched-consumer-calls.md).
 *
 * @param run answers the items of a batch, in order. If it throws, all calls of the batch get the error. If the
 *   database is away, so do calls that have waited for two seconds: each batch may take seconds to fail, and the last of
 *   a long line would wait for minutes.
 */
export function batchCalls<Item, Answer>(
  run: (items: Item[]) => Promise<Answer[]>,
): (item: Item) => Promise<Answer> {
  interface Call {
    item: Item;
    since: number;
    resolve: (answer: Answer) => void;
    reject: (reason: unknown) => void;
  }
  const waiting: Call[] = [];
  let running = 0;

  async function runBatch(batch: Call[]): Promise<void> {
    try {
      const answers = await run(batch.map((call) => call.item));
      batch.forEach((call, i) => call.resolve(answers[i] as Answer));
    } catch (error) {
      for (const call of batch) call.reject(error);
      if (!isDatabaseAway(error)) return;
      const recent = waiting.findIndex((call) => performance.now() - call.since < MAX_WAIT);
      for (const call of waiting.splice(0, recent < 0 ? waiting.length : recent)) call.reject(error);
    }
  }

  function startBatches(): void {
    while (running < MAX_RUNNING && waiting.length > 0) {
      running += 1;
      void runBatch(waiting.splice(0, MAX_BATCH)).then(() => {
        running -= 1;
        startBatches();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, since: performance.now(), resolve, reject });
      startBatches();
    });
}
