/** Any origin works: the parser only has to notice URLs that leave it. */
const BASE = "http://here.invalid";

/**
 * Path of the page after signing in. A URL that leaves this origin (another host, `//host`, `/\host`, `javascript:`) or
 * names the API becomes the start page.
 * @param wanted a path, or an absolute URL
 * @param origin absolute URLs of this origin are accepted too
 */
export function callbackPath(wanted: string | null | undefined, origin: string = BASE): string {
  if (!wanted || !URL.canParse(wanted, BASE)) return "/";
  const url = new URL(wanted, BASE);
  const ours = url.origin === BASE ? wanted.startsWith("/") : url.origin === origin;
  const path = url.pathname + url.search + url.hash;
  return ours && !path.startsWith("//") && !/^\/(api|sign-in)(\/|\?|#|$)/.test(path) ? path : "/";
}
