import Bowser from "bowser";
import ipaddr from "ipaddr.js";

/** Browser and network of a session, in a form that identifies no single person. */
export type ClientInfo = { browser: string | null; address_prefix: string | null };

/** What `Headers` and Next's own list of headers have in common. */
export type HeaderReader = { get: (name: string) => string | null };

/** Browser and network of a request. */
export function clientInfoOf(headers: HeaderReader): ClientInfo {
  return { browser: browserOf(headers.get("user-agent")), address_prefix: prefixOf(addressOf(headers)) };
}

/**
 * Address of the client, or null. Our server leaves one trusted address in `X-Forwarded-For` (TRUSTED_PROXIES), and none behind a
 * proxy that is not declared; Vercel overwrites the header.
 */
export function addressOf(headers: HeaderReader): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const claimed = headers.get("x-forwarded-for")?.split(",")[0]?.trim() ?? "";
  return ipaddr.isValid(claimed) ? ipaddr.process(claimed) : null;
}

/** "Firefox on Linux"; of a program its name, such as "curl". */
function browserOf(agent: string | null): string | null {
  if (agent === null || agent.trim() === "") return null;
  const { browser, os } = Bowser.parse(agent.slice(0, 500));
  const name = browser.name || /^[\w.-]+/.exec(agent)?.[0];
  const words = [name, os.name].filter((word) => word !== undefined && word !== "");
  // The client chose the text, and it is shown in lists and logs.
  const plain = words.join(" on ").replace(/[^\w .+()-]/g, "");
  return plain === "" ? null : plain.slice(0, 60);
}

/** The network of an address, /24 or /48: larger than a household. */
function prefixOf(address: ipaddr.IPv4 | ipaddr.IPv6 | null): string | null {
  if (address === null) return null;
  const bits = address.kind() === "ipv4" ? 24 : 48;
  const bytes = address.toByteArray().map((byte, index) => (index * 8 < bits ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}
