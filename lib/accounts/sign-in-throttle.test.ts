import { describe, expect, it } from "vitest";
import { clientAddress } from "./sign-in-throttle.ts";

describe("clientAddress", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"],
    ["203.0.113.7, 10.0.0.1", "203.0.113.7"],
    ["", null],
    ["nonsense", null],
  ])("counts %j as %j", (header, expected) => {
    expect(clientAddress(new Headers({ "x-forwarded-for": header }))).toBe(expected);
  });
});
