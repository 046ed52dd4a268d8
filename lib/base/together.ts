import { isDatabaseAway } from "./errors.ts";

interface Waiting<Call, Answer> {
  call: Call;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** The first two calls are sent at once; those that arrive meanwhile wait for one of the two, and go together. */
const AT_ONCE = 2;
/** One call may wait for a row that a transaction has locked. The others do not wait for it. */
const LONGEST_WAIT_MS = 10;
const MOST = 64;

/**
 * One statement for calls that arrive together, with one round trip and one commit (docs/decisions/0004-batches-of-consumer-calls.md).
 *
 * @param send answers in the order of the calls, all in one transaction. After an error that is not the connection's, each
 *   call is sent alone: the mistake of one is not the others'.
 */
export function together<Call, Answer>(
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
    void settle(waiting.splice(0, MOST)).finally(() => {
      running--;
      flush();
    });
  }

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      if (running < AT_ONCE) flush();
      else timer ??= setTimeout(flush, LONGEST_WAIT_MS);
    });
}
