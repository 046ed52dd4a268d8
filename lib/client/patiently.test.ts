import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { patiently } from "./patiently.ts";

/** A window as far as it is listened to. */
let browser: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  browser = new EventTarget();
  vi.stubGlobal("addEventListener", browser.addEventListener.bind(browser));
  vi.stubGlobal("removeEventListener", browser.removeEventListener.bind(browser));
});
afterEach(() => {
  vi.useRealTimers();
});

/** Refuses so many times, then answers. */
const after = (refusals: number) =>
  vi.fn<() => Promise<string>>(() =>
    refusals-- > 0 ? Promise.reject(new Error("Failed to load chunk")) : Promise.resolve("here"),
  );

describe("patiently", () => {
  it("answers at once what comes at once", async () => {
    const load = after(0);
    await expect(patiently(load)).resolves.toBe("here");
    expect(load).toHaveBeenCalledOnce();
  });

  it("asks again with growing pauses and does not give up", async () => {
    const load = after(7);
    const answer = patiently(load);
    await vi.advanceTimersByTimeAsync(999);
    expect(load).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(load).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(2_000 + 4_000 + 8_000);
    expect(load).toHaveBeenCalledTimes(5);
    await vi.advanceTimersByTimeAsync(3 * 15_000);
    expect(load).toHaveBeenCalledTimes(8);
    await expect(answer).resolves.toBe("here");
  });

  it("asks at once when the connection is back, and only once", async () => {
    const load = after(1);
    const answer = patiently(load);
    await vi.advanceTimersByTimeAsync(10);
    browser.dispatchEvent(new Event("online"));
    await expect(answer).resolves.toBe("here");
    browser.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(load).toHaveBeenCalledTimes(2);
  });
});
