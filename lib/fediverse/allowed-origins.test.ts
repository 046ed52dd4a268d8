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
  it.each(["mastodon.social", "does-not-exist.example", "social.example.test", "xn--mnchen-3ya.de"])(
    "accepts %s",
    (host) => {
      expect(checkHost(host, LIST)).toEqual({ ok: true, host, origin: `https://${host}` });
    },
  );

  it("accepts allow-listed private hosts", () => {
    expect(checkHost("127.0.0.1:4001", LIST)).toEqual({
      ok: true,
      host: "127.0.0.1:4001",
      origin: "http://127.0.0.1:4001",
    });
    expect(checkHost("fedi.lan", LIST).ok).toBe(true);
  });

  it.each([
    "localhost:3000",
    "127.0.0.1:4002",
    "2130706433",
    "[::1]",
    "printer.local",
    "other.lan",
    "mastodon.social:8080",
    "user@mastodon.social",
    "mastodon.social/path",
    "",
    "a b",
    "a..b",
    "-a.example",
    "*.example",
    `${"a".repeat(64)}.example`,
  ])("refuses %s", (host) => {
    expect(checkHost(host, LIST)).toMatchObject({ ok: false });
  });
});
