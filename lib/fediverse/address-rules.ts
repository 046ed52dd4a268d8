import ipaddr from "ipaddr.js";

/** Blocks that are not public: Teredo and other protocols, 6to4, NAT64, documentation (RFC 9637). */
const REFUSED_IPV6_BLOCKS: readonly [string, number][] = [
  ["2001::", 23],
  ["2002::", 16],
  ["64:ff9b::", 96],
  ["3fff::", 20],
];

/** Azure's wire server. */
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
 * IPv4 inside IPv6 is checked as IPv4.
 *
 * @param address an IP address without brackets; anything else returns false
 */
export function isPublicAddress(address: string): boolean {
  // Only link-local addresses have a zone ("fe80::1%eth0").
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || REFUSED_ADDRESSES.has(parsed.toString())) return false;
  if (parsed.kind() === "ipv4") return true;
  const v6 = parsed as ipaddr.IPv6;
  if (!v6.match(ipaddr.IPv6.parse("2000::"), 3)) return false;
  return !REFUSED_IPV6_BLOCKS.some(([block, bits]) => v6.match(ipaddr.IPv6.parse(block), bits));
}

/** The IP literal, without brackets, or null. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : null;
}

/**
 * The refusal in one sentence, or null. The addresses of a name are checked on connecting.
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
