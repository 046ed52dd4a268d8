import type { Session } from "./open-session.ts";

/** A session's cookies as a browser context takes them, so that a page is signed in before it opens. */
export function sessionCookies(
  session: Session,
  url: string,
): { name: string; value: string; url: string }[] {
  return session.cookie.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
  });
}
