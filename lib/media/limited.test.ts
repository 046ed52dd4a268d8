import { describe, expect, it } from "vitest";
import { sharedWork } from "./limited.ts";

describe("sharedWork", () => {
  it("rejects all parallel calls and does not keep the error", async () => {
    const share = sharedWork<number>();
    const results = await Promise.allSettled(
      [1, 2].map(() => share("a", () => Promise.reject(new Error("no")))),
    );
    expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
    expect(await share("a", () => Promise.resolve(7))).toBe(7);
  });
});
