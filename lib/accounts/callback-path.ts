/** Stands for this origin. A URL that leaves it has another one. */
const BASE = "http://here.invalid";

/**
 * Path of the page that is opened after signing in. The start page for a URL that leaves this origin, or that names the API or
 * the sign-in page.
 *
 * @param wanted a path, or an absolute URL
 */
export function callbackPath(wanted: string | null | undefined, origin: string = BASE): string {
  if (!wanted || !URL.canParse(wanted, BASE)) return "/";
  const url = new URL(wanted, BASE);
  const ours = url.origin === BASE ? wanted.startsWith("/") : url.origin === origin;
  const path = url.pathname + url.search + url.hash;
  return ours && !path.startsWith("//") && !/^\/(api|sign-in)(\/|\?|#|$)/.test(path) ? path : "/";
}
