/** An absolute http(s) URL without credentials, or null. */
export function parseWebUrl(text: string, maxLength = 2048): URL | null {
  const url = text.length > maxLength ? null : URL.parse(text.trim());
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.username !== "" || url.password !== "" || url.href.length > maxLength ? null : url;
}

/**
 * Whether the hosts are equal, or one is a subdomain of the other. Two subdomains of a domain may have different owners.
 *
 * @param a host in lower case, with its non-default port
 */
export function hostsBelongTogether(a: string, b: string): boolean {
  return a === b || isSubdomain(a, b) || isSubdomain(b, a);
}

function isSubdomain(host: string, of: string): boolean {
  return of.includes(".") && /[a-z]/.test(of) && host.endsWith(`.${of}`);
}

/** Decodes percent-encoding. Returns the text itself if it is invalid. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
