import type { IncomingHttpHeaders } from "node:http";
import { expect, test } from "vitest";
import { addressList, settleForwarding } from "./client-address.ts";

const none = addressList([]);
const some = addressList(["127.0.0.1", "10.0.0.0/8", "::1"]);

function settled(headers: IncomingHttpHeaders, remote: string, proxies = some): IncomingHttpHeaders {
  settleForwarding(headers, remote, proxies);
  return headers;
}

test("removes forwarding headers sent by an untrusted client", () => {
  const claim = { "x-forwarded-for": "1.2.3.4", "x-real-ip": "1.2.3.4", forwarded: "for=1.2.3.4" };
  expect(settled({ ...claim }, "203.0.113.9", none)).toEqual({ "x-forwarded-for": "203.0.113.9" });
  const origin = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    "x-forwarded-port": "443",
  };
  expect(settled({ ...claim, ...origin }, "203.0.113.9")).toEqual({ "x-forwarded-for": "203.0.113.9" });
});

test.each([
  ["198.51.100.7", "127.0.0.1", "198.51.100.7"],
  ["198.51.100.7", "::ffff:127.0.0.1", "198.51.100.7"],
  ["6.6.6.6, 198.51.100.7", "127.0.0.1", "198.51.100.7"],
  ["198.51.100.7, 10.1.2.3", "127.0.0.1", "198.51.100.7"],
  ["nonsense, 10.1.2.3", "127.0.0.1", "10.1.2.3"],
  ["198.51.100.7, nonsense, 10.1.2.3", "127.0.0.1", "10.1.2.3"],
  ["2001:db8::5", "::1", "2001:db8::5"],
  ["", "127.0.0.1", "127.0.0.1"],
])("through trusted proxies, X-Forwarded-For %j from %s means %s", (claimed, remote, client) => {
  expect(settled({ "x-forwarded-for": claimed }, remote)["x-forwarded-for"]).toBe(client);
});

test.each(["127.0.0.1", "::1", "::ffff:172.18.0.4", "10.0.0.9", "fd00::7"])(
  "the client's address is unknown behind the undeclared proxy %s",
  (remote) => {
    for (const claim of [
      { "x-forwarded-for": "198.51.100.7" },
      { "x-real-ip": "198.51.100.7" },
      { forwarded: "for=198.51.100.7" },
    ]) {
      const headers: IncomingHttpHeaders = { ...claim };
      expect(settleForwarding(headers, remote, none)).toBe(true);
      expect(headers).toEqual({ "x-forwarded-for": "unknown" });
    }
    const direct: IncomingHttpHeaders = {};
    expect(settleForwarding(direct, remote, none)).toBe(false);
    expect(direct).toEqual({ "x-forwarded-for": remote });
  },
);
