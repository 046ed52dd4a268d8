import { describe, expect, it, vi } from "vitest";
import { gather } from "./gather.ts";

/** A `run` that keeps each group until it is let go. */
function held() {
  const groups: { items: number[]; done: () => void; fail: (error: Error) => void }[] = [];
  const run = (items: number[]) =>
    new Promise<string[]>((resolve, reject) => {
      groups.push({ items, done: () => resolve(items.map((item) => `<${item}>`)), fail: reject });
    });
  return { groups, run };
}

describe("gather", () => {
  it("sends a caller at once while there is room, and the rest together, in order", async () => {
    const { groups, run } = held();
    const ask = gather(run);
    const answers = [1, 2, 3, 4, 5].map((item) => ask(item));
    expect(groups.map((group) => group.items)).toEqual([[1], [2]]);
    groups[0]?.done();
    expect(await answers[0]).toBe("<1>");
    await expect.poll(() => groups.length).toBe(3);
    expect(groups[2]?.items).toEqual([3, 4, 5]);
    groups[2]?.done();
    groups[1]?.done();
    expect(await Promise.all(answers)).toEqual(["<1>", "<2>", "<3>", "<4>", "<5>"]);
  });

  it("never makes a group larger than 64, and leaves nobody behind", async () => {
    const sizes: number[] = [];
    const ask = gather(async (items: number[]) => {
      sizes.push(items.length);
      await Promise.resolve();
      return items;
    });
    const items = Array.from({ length: 300 }, (_, i) => i);
    expect(await Promise.all(items.map((item) => ask(item)))).toEqual(items);
    expect(Math.max(...sizes)).toBe(64);
    expect(sizes.reduce((a, b) => a + b)).toBe(300);
  });

  it("gives a group's error to its own callers, and goes on", async () => {
    const { groups, run } = held();
    const ask = gather(run);
    const [first, second, third, fourth] = [1, 2, 3, 4].map((item) => ask(item));
    groups[0]?.fail(new Error("away"));
    await expect(first).rejects.toThrow("away");
    await expect.poll(() => groups.length).toBe(3);
    groups[2]?.fail(new Error("conflict"));
    await expect(third).rejects.toThrow("conflict");
    await expect(fourth).rejects.toThrow("conflict");
    groups[1]?.done();
    expect(await second).toBe("<2>");
    const later = ask(5);
    groups[3]?.done();
    expect(await later).toBe("<5>");
  });

  it("keeps the line when a group fails for a reason of its own, however long the others have waited", async () => {
    vi.useFakeTimers();
    const { groups, run } = held();
    const ask = gather(run);
    const [first, second, third] = [1, 2, 3].map((item) => ask(item).catch((error: unknown) => error));
    vi.advanceTimersByTime(3_000);
    groups[0]?.fail(new Error("conflict"));
    expect(await first).toEqual(new Error("conflict"));
    await vi.advanceTimersByTimeAsync(0);
    vi.useRealTimers();
    groups[1]?.done();
    groups[2]?.done();
    expect([await second, await third]).toEqual(["<2>", "<3>"]);
  });

  it("does not let a long line wait group by group for a database that is away", async () => {
    vi.useFakeTimers();
    const { groups, run } = held();
    const ask = gather(run);
    const early = [1, 2, 3].map((item) => ask(item).catch((error: unknown) => error));
    vi.advanceTimersByTime(3_000);
    const late = ask(4);
    const away = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    groups[0]?.fail(away);
    expect(await early[0]).toBe(away);
    expect(await early[2]).toBe(away);
    await vi.advanceTimersByTimeAsync(0);
    vi.useRealTimers();
    expect(groups[2]?.items).toEqual([4]);
    groups[2]?.done();
    expect(await late).toBe("<4>");
    groups[1]?.done();
    expect(await early[1]).toBe("<2>");
  });
});
