/** What came of a sign-in: where to go, or the code of what was refused ("" when no answer came). */
export type SignInOutcome = { to: string } | { refused: string };

/**
 * Sends a form below /api/auth as a script. The browser's own headers say that it comes from here, so no token
 * is needed.
 * @param path `callback/credentials`, `callback/link`, `signin/github`, …
 */
export async function sendSignIn(path: string, fields: Record<string, string>): Promise<SignInOutcome> {
  try {
    const answer = await fetch(`/api/auth/${path}`, {
      method: "POST",
      credentials: "same-origin",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...fields, json: "true" }),
    });
    const { url } = (await answer.json()) as { url?: unknown };
    if (typeof url !== "string") return { refused: "" };
    const target = new URL(url, window.location.href);
    const error = target.searchParams.get("error");
    if (error !== null && /\/(api\/auth\/|sign-in)/.test(target.pathname)) return { refused: error };
    if (path.startsWith("signin/")) return { to: target.href };
    // As a path: whoever came by another name of this server stays there.
    return { to: target.pathname + target.search + target.hash };
  } catch {
    return { refused: "" };
  }
}
