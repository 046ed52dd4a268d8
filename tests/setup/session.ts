import { freshSessionCookie } from "#lib/auth/session-token.ts";

/** What a browser of ours sends: a member's session and where the request comes from. */
export async function sessionHeaders(member: {
  id: number;
  session_version: number;
}): Promise<Record<string, string>> {
  const cookie = (await freshSessionCookie(member)).split(";")[0] ?? "";
  return { cookie, "sec-fetch-site": "same-origin" };
}
