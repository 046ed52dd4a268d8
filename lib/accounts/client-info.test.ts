import { describe, expect, it } from "vitest";
import { clientInfoOf } from "./client-info.ts";

const browserOf = (agent: string) => clientInfoOf(new Headers({ "user-agent": agent })).browser;

describe("the browser of a session", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
      "Microsoft Edge on Windows",
    ],
    [
      "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
      "Safari on iOS",
    ],
    ["curl/8.5.0", "curl"],
    ["python-requests/2.32.3", "python-requests"],
    ["node", "node"],
    [" ", null],
  ])("named by %j is %j", (agent, expected) => {
    expect(browserOf(agent)).toBe(expected);
  });

  it("has at most 60 plain characters", () => {
    for (const agent of [
      `<b onclick="x">=1+1/2 ${"y".repeat(5000)}`,
      `${"z".repeat(5000)}/1 x`,
      "\u00e4\u00f6/1 x",
    ]) {
      expect(browserOf(agent) ?? "").toMatch(/^[\w .+()-]{0,60}$/);
    }
  });
});

describe("the network of a session", () => {
  it.each([
    ["203.0.113.77", "203.0.113.0/24"],
    ["::ffff:203.0.113.77", "203.0.113.0/24"],
    ["2001:db8:12:34:56::9", "2001:db8:12::/48"],
    ["127.0.0.1", "127.0.0.0/24"],
    ["unknown", null],
    ["", null],
  ])("with the address %j is %j", (address, expected) => {
    expect(clientInfoOf(new Headers({ "x-forwarded-for": address })).address_prefix).toBe(expected);
  });
});
