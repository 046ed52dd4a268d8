import type { IncomingHttpHeaders } from "node:http";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

export type TrustedProxies = readonly Range[];

/** @param entries validated by lib/base/env.ts */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies {
  return entries.map((entry) => {
    if (entry.includes("/")) return ipaddr.parseCIDR(entry);
    const address = ipaddr.process(entry);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
}

/**
 * Sets `X-Forwarded-For` to the nearest untrusted address, on which Next and sign-in throttling rely. Behind a proxy that
 * is not declared it becomes `unknown` (RFC 7239 §6.2): all clients would share the proxy's address. A peer with a public
 * address keeps its own, because it may be a client that sent the header itself.
 *
 * @param remote address of the peer
 * @returns whether a proxy that is not declared seems to have forwarded the request
 */
export function settleForwarding(
  headers: IncomingHttpHeaders,
  remote: string | undefined,
  proxies: TrustedProxies,
): boolean {
  const isForwarded = [headers.forwarded, headers["x-real-ip"], headers["x-forwarded-for"]].some(Boolean);
  delete headers.forwarded;
  delete headers["x-real-ip"];
  if (proxies.length === 0 || !isTrusted(remote, proxies)) {
    delete headers["x-forwarded-host"];
    delete headers["x-forwarded-proto"];
    delete headers["x-forwarded-port"];
    headers["x-forwarded-for"] = isForwarded && isPrivate(remote) ? "unknown" : (remote ?? "");
    return isForwarded;
  }
  let client = remote ?? "";
  const claimed = headers["x-forwarded-for"];
  const chain = (Array.isArray(claimed) ? claimed.join() : (claimed ?? ""))
    .split(",")
    .map((part) => part.trim());
  for (const hop of chain.reverse()) {
    if (!ipaddr.isValid(hop)) break;
    client = hop;
    if (!isTrusted(hop, proxies)) break;
  }
  headers["x-forwarded-for"] = client;
  return false;
}

const privateRanges = new Set(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"]);

function isPrivate(address: string | undefined): boolean {
  return (
    address !== undefined && ipaddr.isValid(address) && privateRanges.has(ipaddr.process(address).range())
  );
}

function isTrusted(address: string | undefined, proxies: TrustedProxies): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false;
  // IPv4 peers may appear as ::ffff:127.0.0.1.
  const parsed = ipaddr.process(address);
  return proxies.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits));
}
