/** Any origin does: it only lets the parser tell what leaves it. */
const BASE = "http://here.invalid";

/**
 * The page to go to after signing in, as a path of our own. Anything that would leave this origin (another
 * host, `//host`, `/\host`, `javascript:`) or call the API becomes the start page.
 * @param wanted a path, or an absolute address
 * @param origin absolute addresses of this origin are accepted as well
 */
export function callbackPath(wanted: string | null | undefined, origin: string = BASE): string {
  if (!wanted || !URL.canParse(wanted, BASE)) return "/";
  const url = new URL(wanted, BASE);
  const ours = url.origin === BASE ? wanted.startsWith("/") : url.origin === origin;
  const path = url.pathname + url.search + url.hash;
  return ours && !path.startsWith("//") && !/^\/(api|sign-in)(\/|\?|#|$)/.test(path) ? path : "/";
}
