import ipaddr from "ipaddr.js";

/** Public addresses that are internal all the same: Azure's wire server. */
const REFUSED_ADDRESSES = new Set(["168.63.129.16"]);

/** RFC 6761, RFC 6762 with appendix G, RFC 8375, and `.internal` (ICANN, 2024). `.onion` needs Tor. */
const LOCAL_SUFFIXES = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa",
  "onion",
];

/**
 * Whether an address is public. IPv4 inside IPv6 is checked as IPv4.
 *
 * @param address an IP address without brackets; anything else returns false
 */
export function isPublicAddress(address: string): boolean {
  // Only link-local addresses have a zone ("fe80::1%eth0").
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || REFUSED_ADDRESSES.has(parsed.toString())) return false;
  if (parsed.kind() === "ipv4") return true;
  return (parsed as ipaddr.IPv6).match(ipaddr.IPv6.parse("2000::"), 3);
}

/** The IP address that a host name is, without brackets; null for a DNS name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : null;
}

/**
 * Says in one sentence why a host is refused; null if it is not. Addresses of a DNS name are checked on connecting.
 *
 * @param hostname as in `URL.hostname`: lower case, IDN in ASCII, IPv4 dotted
 */
export function refuseHostname(hostname: string): string | null {
  const address = literalAddress(hostname);
  if (address !== null) {
    return isPublicAddress(address) ? null : `${hostname} is not a public address.`;
  }
  const name = hostname.replace(/\.$/, "");
  if (LOCAL_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))) {
    return `${hostname} is a name of a local network.`;
  }
  if (!name.includes(".")) return `${hostname} is not a public host name.`;
  return null;
}
