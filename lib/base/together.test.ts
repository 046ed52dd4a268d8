import { expect, test } from "vitest";
import { together } from "./together.ts";

/** A statement that ends when it is told to. */
function statement() {
  const sent: { calls: number[]; end: (error?: Error) => void }[] = [];
  const ask = together(
    (calls: number[]) =>
      new Promise<string[]>((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(calls.map((n) => `answer ${n}`)));
        sent.push({ calls, end });
      }),
  );
  return { sent, ask };
}

test("calls that arrive while two are under way go together, and each gets its answer", async () => {
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

test("calls behind two that wait for a lock are sent all the same", async () => {
  const { sent, ask } = statement();
  const answers = [1, 2, 3].map(ask);
  await expect.poll(() => sent.map(({ calls }) => calls)).toEqual([[1], [2], [3]]);
  for (const { end } of sent) end();
  await Promise.all(answers);
});

test("the mistake of one call is not the others'", async () => {
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
