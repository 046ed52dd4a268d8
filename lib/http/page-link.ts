import { env } from "#lib/env.ts";

/**
 * `Link` header of a list (RFC 8288): the pages beside this one, the rest of the query kept as it was sent.
 * Empty when everything is on this page.
 * @param onward what the next page changes in the query, where it is not the next by `skip`
 */
export function pageLinks(
  request: Request,
  page: { skip: number; limit: number; total: number; total_is_more?: boolean | undefined },
  onward: Record<string, string> | null = null,
): Record<string, string> {
  const links: string[] = [];
  if (onward !== null || page.skip + page.limit < page.total || page.total_is_more)
    links.push(link(request, page.skip + page.limit, page.limit, "next", onward ?? {}));
  if (page.skip > 0) {
    // From far behind the end "previous" is the last page with something on it.
    const last = page.total_is_more
      ? page.skip
      : Math.floor(Math.max(0, page.total - 1) / page.limit) * page.limit;
    links.push(link(request, Math.max(0, Math.min(page.skip - page.limit, last)), page.limit, "prev"));
  }
  return links.length === 0 ? {} : { Link: links.join(", ") };
}

function link(
  request: Request,
  skip: number,
  limit: number,
  rel: "next" | "prev",
  other: Record<string, string> = {},
): string {
  const url = new URL(request.url);
  url.searchParams.set("skip", String(skip));
  url.searchParams.set("limit", String(limit));
  for (const [name, value] of Object.entries(other)) url.searchParams.set(name, value);
  return `<${originOf(request, url)}${url.pathname}${url.search}>; rel="${rel}"`;
}

/** The address the client used, as far as it can be told: behind a proxy that is what PUBLIC_URL is for. */
function originOf(request: Request, url: URL): string {
  const host = request.headers.get("host");
  const known = new URL(env().PUBLIC_URL);
  if (host === null || !/^[\w.:[\]-]+$/.test(host)) return url.origin;
  return host === known.host ? known.origin : `${url.protocol}//${host}`;
}
