import { isDatabaseAway } from "./errors.ts";

interface Waiting<Call, Answer> {
  call: Call;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Batches under way at the same time. A call that finds fewer is sent at once, others wait and share the next batch. */
const MAX_RUNNING = 2;
/** A waiting call is sent after this time even so: a running batch may wait for a row that a transaction has locked. */
const MAX_WAIT_MS = 10;
const MAX_BATCH = 64;

/**
 * Sends calls that arrive at the same time in one statement: one round trip and one commit
 * (docs/decisions/0004-batches-of-consumer-calls.md).
 *
 * @param send executes the calls in one transaction and answers in their order. When it fails for another reason than the
 *   connection, each call of the batch is sent alone, so that a call fails only by its own mistake.
 */
export function batched<Call, Answer>(
  send: (calls: Call[]) => Promise<Answer[]>,
): (call: Call) => Promise<Answer> {
  const waiting: Waiting<Call, Answer>[] = [];
  let running = 0;
  let timer: NodeJS.Timeout | undefined;

  async function settle(batch: Waiting<Call, Answer>[]): Promise<void> {
    try {
      const answers = await send(batch.map(({ call }) => call));
      batch.forEach(({ resolve }, i) => resolve(answers[i] as Answer));
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map((one) => settle([one])));
    }
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    running++;
    void settle(waiting.splice(0, MAX_BATCH)).finally(() => {
      running--;
      flush();
    });
  }

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      if (running < MAX_RUNNING) flush();
      else timer ??= setTimeout(flush, MAX_WAIT_MS);
    });
}
