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
