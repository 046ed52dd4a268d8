import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress, refuseHostname } from "./address-rules.ts";

describe("isPublicAddress", () => {
  it.each(["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001:82a::200e", "::ffff:1.1.1.1"])(
    "returns true for %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "this network"],
    ["10.0.0.1", "private"],
    ["100.64.0.1", "carrier-grade NAT"],
    ["100.100.100.200", "a cloud's metadata in CGNAT space"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["168.63.129.16", "a cloud's wire server"],
    ["169.254.169.254", "metadata"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.0.0.192", "protocol assignments"],
    ["192.0.2.1", "documentation"],
    ["192.88.99.1", "6to4 relay"],
    ["192.168.1.1", "private"],
    ["198.18.0.1", "benchmarks"],
    ["203.0.113.7", "documentation"],
    ["224.0.0.1", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "IPv4 in IPv6"],
    ["::ffff:7f00:1", "IPv4 in IPv6, hexadecimal"],
    ["::127.0.0.1", "IPv4-compatible"],
    ["64:ff9b::7f00:1", "NAT64"],
    ["64:ff9b::101:101", "NAT64, even of a public address"],
    ["64:ff9b:1::1", "local NAT64"],
    ["100::1", "discard"],
    ["2001::1", "Teredo"],
    ["2001:10::1", "ORCHID"],
    ["2001:db8::1", "documentation"],
    ["2002:7f00:1::", "6to4"],
    ["3fff::1", "documentation"],
    ["4000::1", "outside 2000::/3"],
    ["fc00::1", "unique local"],
    ["fd00:ec2::254", "a cloud's metadata"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local with zone"],
    ["2606:4700:4700::1111%eth0", "a zone, whatever stands before it"],
    ["fec0::1", "site-local"],
    ["ff02::1", "multicast"],
    ["not an address", "no address"],
    ["", "no address"],
  ])("returns false for %s (%s)", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it("checks an IPv4 address inside IPv6 as IPv4", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
      }),
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6()), (text) => {
        expect(typeof isPublicAddress(text)).toBe("boolean");
      }),
    );
  });
});

describe("refuseHostname", () => {
  it.each(["mastodon.social", "example.test", "xn--mnchen-3ya.example", "1.1.1.1", "[2606:4700:4700::1111]"])(
    "accepts %s",
    (name) => {
      expect(refuseHostname(name)).toBeNull();
    },
  );

  it.each([
    "localhost",
    "localhost.",
    "a.localhost",
    "printer.local",
    "fedi.lan",
    "router.home.arpa",
    "metadata.google.internal",
    "intranet",
    "db",
    "expyuzz4wqqyqhjn.onion",
    "127.0.0.1",
    "[::1]",
    "[::ffff:7f00:1]",
  ])("refuses %s", (name) => {
    expect(refuseHostname(name)).toMatch(/\.$/);
  });
});
