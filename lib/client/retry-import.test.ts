import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { retryImport } from "./retry-import.ts";

let browser: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  browser = new EventTarget();
  vi.stubGlobal("addEventListener", browser.addEventListener.bind(browser));
  vi.stubGlobal("removeEventListener", browser.removeEventListener.bind(browser));
});
afterEach(() => vi.useRealTimers());

const after = (failures: number) =>
  vi.fn<() => Promise<string>>(() =>
    failures-- > 0 ? Promise.reject(new Error("Failed to load chunk")) : Promise.resolve("loaded"),
  );

describe("retryImport", () => {
  it("retries with growing pauses and does not give up", async () => {
    const load = after(7);
    const answer = retryImport(load);
    await vi.advanceTimersByTimeAsync(999);
    expect(load).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(load).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(2_000 + 4_000 + 8_000);
    expect(load).toHaveBeenCalledTimes(5);
    await vi.advanceTimersByTimeAsync(3 * 15_000);
    expect(load).toHaveBeenCalledTimes(8);
    await expect(answer).resolves.toBe("loaded");
  });

  it("retries at once when the connection is back, and only once", async () => {
    const load = after(1);
    const answer = retryImport(load);
    await vi.advanceTimersByTimeAsync(10);
    browser.dispatchEvent(new Event("online"));
    await expect(answer).resolves.toBe("loaded");
    browser.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(load).toHaveBeenCalledTimes(2);
  });
});
