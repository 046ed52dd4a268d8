import { env } from "#lib/base/env.ts";
import { refuseHostname } from "./address-rules.ts";

/**
 * Parses `http://127.0.0.1:4001,https://fedi.lan`; the default scheme is https. Invalid entries are ignored.
 */
export function parseAllowedOrigins(value: string | readonly string[]): string[] {
  const entries = typeof value === "string" ? value.split(/[\s,]+/) : value;
  const origins = entries.flatMap((entry) => {
    const text = entry.trim();
    if (text === "") return [];
    const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
    const usable =
      url &&
      isHostname(url.hostname) &&
      (url.protocol === "https:" || url.protocol === "http:") &&
      !url.username &&
      !url.password;
    return usable ? [url.origin] : [];
  });
  return [...new Set(origins)];
}

export function allowedPrivateOrigins(): string[] {
  return parseAllowedOrigins(env().ALLOWED_PRIVATE_HOSTS);
}

/**
 * Origin of a host, with the scheme of the allow-list if it is listed, otherwise https.
 *
 * @throws TypeError when it is not a host
 */
export function originFor(host: string, allowedOrigins: readonly string[] = allowedPrivateOrigins()): string {
  const { origin } = new URL(`https://${host}`);
  const open = URL.parse(`http://${host}`)?.origin ?? "";
  return !allowedOrigins.includes(origin) && allowedOrigins.includes(open) ? open : origin;
}

export type HostCheck = { ok: true; host: string; origin: string } | { ok: false; reason: string };

/**
 * Checks a host without resolving its name, so that a stream of a server that is down can be added. Each connection is
 * checked again.
 *
 * @param host a host, with its non-default port; no scheme, no path
 */
export function checkHost(
  host: string,
  allowedOrigins: readonly string[] = allowedPrivateOrigins(),
): HostCheck {
  const url = /[/?#@\\\s]/.test(host) ? null : URL.parse(`https://${host}`);
  if (url === null || !isHostname(url.hostname)) return { ok: false, reason: `${host} is not a host name.` };
  const origin = originFor(host, allowedOrigins);
  if (allowedOrigins.includes(origin)) return { ok: true, host: new URL(origin).host, origin };
  const refusal = refuseHostname(url.hostname);
  if (refusal !== null) return { ok: false, reason: refusal };
  if (!isUsualPort(url)) return { ok: false, reason: `${host} names a port other than 443 and 80.` };
  return { ok: true, host: url.host, origin };
}

/** Whether the text is a DNS name (RFC 1123, also with underscores) or an IP address. */
function isHostname(hostname: string): boolean {
  if (hostname.startsWith("[")) return true;
  const labels = hostname.replace(/\.$/, "").split(".");
  return (
    hostname.length <= 253 && labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  );
}

export function isUsualPort(url: URL): boolean {
  return url.port === "" || url.port === "443" || url.port === "80";
}
