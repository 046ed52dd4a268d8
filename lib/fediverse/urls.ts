/** An absolute http(s) URL without credentials, or null. */
export function parseWebUrl(text: string, maxLength = 2048): URL | null {
  const url = text.length > maxLength ? null : URL.parse(text.trim());
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.username !== "" || url.password !== "" || url.href.length > maxLength ? null : url;
}

/**
 * Equal, or one a subdomain of the other. Two subdomains of one domain may have different owners.
 *
 * @param a host in lower case, with its non-default port
 */
export function hostsBelongTogether(a: string, b: string): boolean {
  return a === b || isSubdomain(a, b) || isSubdomain(b, a);
}

function isSubdomain(host: string, of: string): boolean {
  return of.includes(".") && /[a-z]/.test(of) && host.endsWith(`.${of}`);
}

/** The text itself when its percent-encoding is wrong. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
