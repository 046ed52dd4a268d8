import { expect, test } from "vitest";
import { batched } from "./batched.ts";

/** A statement that ends when it is told to. */
function statement() {
  const sent: { calls: number[]; end: (error?: Error) => void }[] = [];
  const ask = batched(
    (calls: number[]) =>
      new Promise<string[]>((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(calls.map((n) => `answer ${n}`)));
        sent.push({ calls, end });
      }),
  );
  return { sent, ask };
}

test("batches calls that arrive while two are running, and gives each its answer", async () => {
  const { sent, ask } = statement();
  const answers = [1, 2, 3, 4, 5].map(ask);
  expect(sent.map(({ calls }) => calls)).toEqual([[1], [2]]);
  sent[0]?.end();
  await answers[0];
  await expect.poll(() => sent.map(({ calls }) => calls)).toEqual([[1], [2], [3, 4, 5]]);
  sent[1]?.end();
  sent[2]?.end();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5].map((n) => `answer ${n}`));
});

test("sends calls although two batches wait for a lock", async () => {
  const { sent, ask } = statement();
  const answers = [1, 2, 3].map(ask);
  await expect.poll(() => sent.map(({ calls }) => calls)).toEqual([[1], [2], [3]]);
  for (const { end } of sent) end();
  await Promise.all(answers);
});

test("fails only the call that caused the error", async () => {
  const { sent, ask } = statement();
  const answers = Promise.allSettled([1, 2, 3, 4].map(ask));
  sent[0]?.end();
  sent[1]?.end();
  await expect.poll(() => sent.length).toBe(3);
  sent[2]?.end(new Error("invalid value"));
  await expect.poll(() => sent.slice(3).map(({ calls }) => calls)).toEqual([[3], [4]]);
  sent[3]?.end(new Error("invalid value"));
  sent[4]?.end();
  expect((await answers).map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
});
