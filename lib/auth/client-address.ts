import ipaddr from "ipaddr.js";

/**
 * Where a request comes from, as a name to count by; null when nothing says so. The server in front of Next
 * leaves one believable address in `X-Forwarded-For` (TRUSTED_PROXIES), Vercel overwrites the header itself.
 * IPv6 counts by /64: that is what one household or one rented machine has.
 */
export function clientAddress(headers: Headers): string | null {
  const claimed = headers.get("x-forwarded-for")?.split(",")[0]?.trim() ?? "";
  if (!ipaddr.isValid(claimed)) return null;
  const address = ipaddr.process(claimed);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
