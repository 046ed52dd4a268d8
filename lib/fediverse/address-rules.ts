import ipaddr from "ipaddr.js";

/** Not public although inside 2000::/3: Teredo and other protocol blocks, 6to4, documentation (RFC 9637). */
const REFUSED_IPV6_BLOCKS: readonly [string, number][] = [
  ["2001::", 23],
  ["2002::", 16],
  ["64:ff9b::", 96],
  ["3fff::", 20],
];

/** Public unicast, but answered by the cloud provider (Azure's wire server). */
const REFUSED_ADDRESSES = new Set(["168.63.129.16"]);

/**
 * Names that never mean a public server: RFC 6761/6762 (with appendix G, the names people give to home and company
 * networks), RFC 8375, and `.internal` (reserved by ICANN in 2024). `.onion` cannot be reached without Tor.
 */
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
 * True when the address is public unicast; for IPv6 also inside 2000::/3. An IPv4 address wrapped in IPv6 is checked as
 * IPv4.
 *
 * @param address an IP address without brackets; anything else returns false
 */
export function isPublicAddress(address: string): boolean {
  // A zone ("fe80::1%eth0") only ever belongs to a link-local address.
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || REFUSED_ADDRESSES.has(parsed.toString())) return false;
  if (parsed.kind() === "ipv4") return true;
  const v6 = parsed as ipaddr.IPv6;
  if (!v6.match(ipaddr.IPv6.parse("2000::"), 3)) return false;
  return !REFUSED_IPV6_BLOCKS.some(([block, bits]) => v6.match(ipaddr.IPv6.parse(block), bits));
}

/** The address when the host name of a URL is an IP literal (brackets taken off), else null. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : null;
}

/**
 * Why a host name may not be asked, in one sentence, or null when it may. Only the name is judged, nothing is
 * resolved: a public-looking name that leads to a private address is refused when it is connected to.
 *
 * @param hostname as `URL.hostname` gives it: lower case, IDN in ASCII, decimal and hexadecimal IPv4 already dotted
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
