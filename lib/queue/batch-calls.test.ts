import { describe, expect, it, vi } from "vitest";
import { batchCalls } from "./batch-calls.ts";

/** A `run` whose batches end when the test says so. */
function controlledRun() {
  const batches: { items: number[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const run = (items: number[]) =>
    new Promise<string[]>((resolve, reject) => {
      batches.push({ items, finish: () => resolve(items.map((item) => `<${item}>`)), fail: reject });
    });
  return { batches, run };
}

describe("batchCalls", () => {
  it("runs two calls at once and sends the rest as one batch, in order", async () => {
    const { batches, run } = controlledRun();
    const call = batchCalls(run);
    const answers = [1, 2, 3, 4, 5].map((item) => call(item));
    expect(batches.map((batch) => batch.items)).toEqual([[1], [2]]);
    batches[0]?.finish();
    expect(await answers[0]).toBe("<1>");
    await expect.poll(() => batches.length).toBe(3);
    expect(batches[2]?.items).toEqual([3, 4, 5]);
    batches[2]?.finish();
    batches[1]?.finish();
    expect(await Promise.all(answers)).toEqual(["<1>", "<2>", "<3>", "<4>", "<5>"]);
  });

  it("answers every call in batches of at most 64", async () => {
    const sizes: number[] = [];
    const call = batchCalls(async (items: number[]) => {
      sizes.push(items.length);
      await Promise.resolve();
      return items;
    });
    const items = Array.from({ length: 300 }, (_, i) => i);
    expect(await Promise.all(items.map((item) => call(item)))).toEqual(items);
    expect(Math.max(...sizes)).toBe(64);
    expect(sizes.reduce((a, b) => a + b)).toBe(300);
  });

  it("rejects the calls of a failed batch with its error and continues", async () => {
    const { batches, run } = controlledRun();
    const call = batchCalls(run);
    const [first, second, third, fourth] = [1, 2, 3, 4].map((item) => call(item));
    batches[0]?.fail(new Error("away"));
    await expect(first).rejects.toThrow("away");
    await expect.poll(() => batches.length).toBe(3);
    batches[2]?.fail(new Error("conflict"));
    await expect(third).rejects.toThrow("conflict");
    await expect(fourth).rejects.toThrow("conflict");
    batches[1]?.finish();
    expect(await second).toBe("<2>");
    const later = call(5);
    batches[3]?.finish();
    expect(await later).toBe("<5>");
  });

  it("rejects calls that have waited for two seconds when the database is away", async () => {
    vi.useFakeTimers();
    const { batches, run } = controlledRun();
    const call = batchCalls(run);
    const early = [1, 2, 3].map((item) => call(item).catch((error: unknown) => error));
    vi.advanceTimersByTime(3_000);
    const late = call(4);
    const away = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    batches[0]?.fail(away);
    expect(await early[0]).toBe(away);
    expect(await early[2]).toBe(away);
    await vi.advanceTimersByTimeAsync(0);
    vi.useRealTimers();
    expect(batches[2]?.items).toEqual([4]);
    batches[2]?.finish();
    expect(await late).toBe("<4>");
    batches[1]?.finish();
    expect(await early[1]).toBe("<2>");
  });
});
