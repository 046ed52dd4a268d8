import { describe, expect, it } from "vitest";
import { readableSize } from "./read-body.ts";

describe("readableSize", () => {
  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [1023, "1,023 bytes"],
    [1024, "1 KiB"],
    [1536, "1.5 KiB"],
    [1_048_575, "1 MiB"],
    [2_097_152, "2 MiB"],
    [8 * 1024 ** 2, "8 MiB"],
    [1.5 * 1024 ** 3, "1.5 GiB"],
    [5_000 * 1024 ** 3, "5,000 GiB"],
  ])("writes %i bytes as %s", (bytes, words) => {
    expect(readableSize(bytes)).toBe(words);
  });
});
