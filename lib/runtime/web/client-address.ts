import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";

/** @param entries addresses and ranges, which lib/base/env.ts has validated */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    if (bits === undefined) list.addAddress(address, kindOf(address));
    else list.addSubnet(address, Number(bits), kindOf(address));
  }
  return list;
}

const kindOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");

/** Whether the list has an address. It also matches IPv4 written as ::ffff:127.0.0.1. */
const isIn = (list: BlockList, address: string) =>
  isIP(address) !== 0 && list.check(address, kindOf(address));

const privateAddresses = addressList(
  "127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 100.64.0.0/10 ::1 fc00::/7 fe80::/10".split(
    " ",
  ),
);

/**
 * Sets `X-Forwarded-For` to the nearest untrusted address, on which Next and sign-in throttling rely. Behind a proxy that
 * is not declared it becomes `unknown` (RFC 7239 §6.2): all clients would share the proxy's address. A peer with a public
 * address keeps its own, because it may be a client that sent the header itself.
 *
 * @param remote address of the peer
 * @returns whether a proxy that is not declared seems to have forwarded the request
 */
export function settleForwarding(headers: IncomingHttpHeaders, remote: string, proxies: BlockList): boolean {
  const isForwarded = [headers.forwarded, headers["x-real-ip"], headers["x-forwarded-for"]].some(Boolean);
  delete headers.forwarded;
  delete headers["x-real-ip"];
  if (!isIn(proxies, remote)) {
    delete headers["x-forwarded-host"];
    delete headers["x-forwarded-proto"];
    delete headers["x-forwarded-port"];
    headers["x-forwarded-for"] = isForwarded && isIn(privateAddresses, remote) ? "unknown" : remote;
    return isForwarded;
  }
  let client = remote;
  const chain = String(headers["x-forwarded-for"] ?? "").split(",");
  for (const hop of chain.reverse().map((part) => part.trim())) {
    if (isIP(hop) === 0) break;
    client = hop;
    if (!isIn(proxies, hop)) break;
  }
  headers["x-forwarded-for"] = client;
  return false;
}
