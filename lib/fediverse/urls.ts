/** The URL, or null when the text is none. */
export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** The URL when it is an absolute http(s) address without credentials that is not absurdly long, else null. */
export function parseWebUrl(text: string, maxLength = 2048): URL | null {
  const url = text.length > maxLength ? null : parseUrl(text.trim());
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.username !== "" || url.password !== "" || url.href.length > maxLength ? null : url;
}

/**
 * Whether two hosts belong to one server: equal, or one a subdomain of the other (accounts at `example.org`, pages at
 * `social.example.org`). Two subdomains of one domain are not enough: the domain may be a hosting company's.
 *
 * @param a host in lower case, with the port where it is not the usual one
 */
export function hostsBelongTogether(a: string, b: string): boolean {
  return a === b || isSubdomain(a, b) || isSubdomain(b, a);
}

function isSubdomain(host: string, of: string): boolean {
  return of.includes(".") && /[a-z]/.test(of) && host.endsWith(`.${of}`);
}
