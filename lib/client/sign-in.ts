/** The next address, or an error code ("" without an answer). */
export type SignInOutcome = { to: string } | { refused: string };

/**
 * The browser's own headers prove the origin, so no CSRF token is needed.
 *
 * @param path below /api/auth: `callback/credentials`, `signin/github`, …
 */
export async function sendSignIn(path: string, fields: Record<string, string>): Promise<SignInOutcome> {
  try {
    const response = await fetch(`/api/auth/${path}`, {
      method: "POST",
      credentials: "same-origin",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...fields, json: "true" }),
    });
    const { url } = (await response.json()) as { url?: unknown };
    if (typeof url !== "string") return { refused: "" };
    const target = new URL(url, window.location.href);
    const error = target.searchParams.get("error");
    if (error !== null && /\/(api\/auth\/|sign-in|forgot)/.test(target.pathname)) return { refused: error };
    if (path.startsWith("signin/")) return { to: target.href };
    // A path, so that the host name stays.
    return { to: target.pathname + target.search + target.hash };
  } catch {
    return { refused: "" };
  }
}
