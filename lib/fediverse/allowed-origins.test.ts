import { describe, expect, it } from "vitest";
import { checkHost, originFor, parseAllowedOrigins } from "./allowed-origins.ts";

const LIST = parseAllowedOrigins(
  "http://127.0.0.1:4001, https://fedi.lan http://fedi.home:80,plain.lan:8443",
);

describe("parseAllowedOrigins", () => {
  it("reads origins and adds https where no scheme is given", () => {
    expect(LIST).toEqual([
      "http://127.0.0.1:4001",
      "https://fedi.lan",
      "http://fedi.home",
      "https://plain.lan:8443",
    ]);
  });

  it("ignores empty values and invalid entries", () => {
    expect(parseAllowedOrigins("")).toEqual([]);
    expect(parseAllowedOrigins("ftp://a.lan,http://u:p@b.lan,http://,*,https://ok.lan/path")).toEqual([
      "https://ok.lan",
    ]);
  });
});

describe("originFor", () => {
  it("uses https unless the allow-list names another scheme", () => {
    expect(originFor("mastodon.social", LIST)).toBe("https://mastodon.social");
    expect(originFor("127.0.0.1:4001", LIST)).toBe("http://127.0.0.1:4001");
    expect(originFor("127.0.0.1:4002", LIST)).toBe("https://127.0.0.1:4002");
    expect(originFor("fedi.lan", LIST)).toBe("https://fedi.lan");
    expect(originFor("fedi.home", LIST)).toBe("http://fedi.home");
    expect(originFor("plain.lan:8443", LIST)).toBe("https://plain.lan:8443");
  });
});

describe("checkHost", () => {
  it.each([
    ["does-not-exist.example", "https://does-not-exist.example"],
    ["127.0.0.1:4001", "http://127.0.0.1:4001"],
    ["fedi.lan", "https://fedi.lan"],
  ])("accepts public and allow-listed hosts: %s", (host, origin) => {
    expect(checkHost(host, LIST)).toEqual({ ok: true, host, origin });
  });

  /* The forms that an admin may type are in instance.test.ts. */
  it.each([
    "localhost:3000",
    "127.0.0.1:4002",
    "other.lan",
    "mastodon.social/path",
    "user@mastodon.social",
    "*.example",
    `${"a".repeat(64)}.example`,
  ])("refuses %s", (host) => {
    expect(checkHost(host, LIST)).toMatchObject({ ok: false });
  });
});
