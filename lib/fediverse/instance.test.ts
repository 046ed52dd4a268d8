import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { forgetEnv } from "#lib/base/env.ts";
import { normaliseInstance } from "./instance.ts";

function normalise(text: string, allowed = "") {
  vi.stubEnv("ALLOWED_PRIVATE_HOSTS", allowed);
  forgetEnv();
  const check = normaliseInstance(text);
  return check.ok ? check.host : null;
}

test.each([
  ["mastodon.social", "mastodon.social"],
  ["  Mastodon.SOCIAL ", "mastodon.social"],
  ["https://mastodon.social", "mastodon.social"],
  ["http://mastodon.social/", "mastodon.social"],
  ["HTTPS://mastodon.social/tags/cats?x=1#y", "mastodon.social"],
  ["mastodon.social.", "mastodon.social"],
  ["https://mastodon.social./", "mastodon.social"],
  ["mastodon.social/@user", "mastodon.social"],
  ["mastodon.social:443", "mastodon.social"],
  ["http://mastodon.social:80/", "mastodon.social"],
  ["münchen.social", "xn--mnchen-3ya.social"],
  ["MÜNCHEN.social", "xn--mnchen-3ya.social"],
  ["mastodon。social", "mastodon.social"],
  ["8.8.8.8", "8.8.8.8"],
])("%j is stored as %j", (written, stored) => {
  expect(normalise(written)).toBe(stored);
});

test.each([
  [""],
  ["   "],
  ["."],
  ["https://"],
  ["not a host"],
  ["user@mastodon.social"],
  ["https://user:secret@mastodon.social"],
  ["mastodon"],
  ["mastodon.social:8443"],
  ["127.0.0.1:4001"],
  ["0x7f.1"],
  ["[::ffff:127.0.0.1]"],
  ["fedi.local"],
  ["-.com"],
  ["a..b"],
  ["exa mple.org"],
  ["mastodon.social\u0000.evil.org"],
])("%j is refused", (written) => {
  expect(normalise(written)).toBeNull();
});

test("hosts of the allow-list keep their port with any scheme", () => {
  const allowed = "http://127.0.0.1:4001,https://fedi.lan,http://plain.lan";
  expect(normalise("127.0.0.1:4001", allowed)).toBe("127.0.0.1:4001");
  expect(normalise("http://127.0.0.1:4001/tags/cats", allowed)).toBe("127.0.0.1:4001");
  expect(normalise("https://fedi.lan:443", allowed)).toBe("fedi.lan");
  expect(normalise("plain.lan:80", allowed)).toBe("plain.lan");
  expect(normalise("plain.lan", allowed)).toBe("plain.lan");
  expect(normalise("127.0.0.1:4002", allowed)).toBeNull();
  expect(normalise("127.0.0.1", allowed)).toBeNull();
});

test("normaliseInstance returns null or a host in the form of URL.host", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.webUrl(), fc.ipV4(), fc.ipV6()), (typed) => {
      const check = normaliseInstance(typed);
      expect(!check.ok || new URL(`https://${check.host}`).host === check.host).toBe(true);
    }),
  );
});
