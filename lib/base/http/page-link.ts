import { env } from "#lib/base/env.ts";

interface Page {
  skip: number;
  limit: number;
  total: number;
  /** Counting stopped at `total`. */
  total_is_more?: boolean | undefined;
  /** The list ends at `total`, although not all posts were searched. */
  incomplete_results?: boolean | undefined;
}

/**
 * `Link` header of a list (RFC 8288): the next and previous page, with the rest of the query unchanged. Empty when
 * everything is on this page.
 */
export function pageLinks(request: Request, page: Page): Record<string, string> {
  const links: string[] = [];
  const isOpenEnded = page.total_is_more && !page.incomplete_results;
  if (page.skip + page.limit < page.total || isOpenEnded)
    links.push(link(request, page.skip + page.limit, page.limit, "next"));
  if (page.skip > 0) {
    // Behind the end, "previous" is the last page that is not empty.
    const last = isOpenEnded ? page.skip : Math.floor(Math.max(0, page.total - 1) / page.limit) * page.limit;
    links.push(link(request, Math.max(0, Math.min(page.skip - page.limit, last)), page.limit, "prev"));
  }
  return links.length === 0 ? {} : { Link: links.join(", ") };
}

function link(request: Request, skip: number, limit: number, rel: "next" | "prev"): string {
  const url = new URL(request.url);
  url.searchParams.set("skip", String(skip));
  url.searchParams.set("limit", String(limit));
  return `<${originOf(request, url)}${url.pathname}${url.search}>; rel="${rel}"`;
}

/** The origin that the client used; behind a proxy, that of PUBLIC_URL. */
function originOf(request: Request, url: URL): string {
  const host = request.headers.get("host");
  const known = new URL(env().PUBLIC_URL);
  if (host === null || !/^[\w.:[\]-]+$/.test(host)) return url.origin;
  return host === known.host ? known.origin : `${url.protocol}//${host}`;
}
