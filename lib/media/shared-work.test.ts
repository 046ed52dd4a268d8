import { describe, expect, it } from "vitest";
import { limited } from "./limited.ts";
import { sharedWork } from "./shared-work.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("sharedWork", () => {
  it("runs once for parallel calls, and again afterwards", async () => {
    const share = sharedWork<number>();
    let done = 0;
    const work = async () => {
      await turn();
      return ++done;
    };
    expect(await Promise.all([share("a", work), share("a", work), share("b", work)])).toEqual([1, 1, 2]);
    expect(await share("a", work)).toBe(3);
  });

  it("rejects all parallel calls and does not keep the error", async () => {
    const share = sharedWork<number>();
    const results = await Promise.allSettled(
      [1, 2].map(() => share("a", () => Promise.reject(new Error("no")))),
    );
    expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
    expect(await share("a", () => Promise.resolve(7))).toBe(7);
  });
});

describe("limited", () => {
  it("never exceeds the limit and runs all tasks", async () => {
    const inTurn = limited(3);
    let running = 0;
    let most = 0;
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        inTurn(async () => {
          most = Math.max(most, ++running);
          await turn();
          running--;
          if (n % 5 === 0) throw new Error("one of them fails");
          return n;
        }),
      ),
    );
    expect(most).toBe(3);
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(16);
  });
});
