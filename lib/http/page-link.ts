import { env } from "#lib/env.ts";

/**
 * `Link` header of a list (RFC 8288) with the next and previous page. Other query parameters are kept. Empty when there is
 * one page.
 * @param onward query parameters of the next page when it is not reached by `skip`
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
    // Beyond the end, the previous page is the last one with items.
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

/** The origin the client used; behind a proxy it is PUBLIC_URL's. */
function originOf(request: Request, url: URL): string {
  const host = request.headers.get("host");
  const known = new URL(env().PUBLIC_URL);
  if (host === null || !/^[\w.:[\]-]+$/.test(host)) return url.origin;
  return host === known.host ? known.origin : `${url.protocol}//${host}`;
}
