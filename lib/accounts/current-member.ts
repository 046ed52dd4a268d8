import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { roles, type Role } from "#lib/base/http/permissions.ts";
import { callbackPath } from "./callback-path.ts";
import { shownPreferences } from "./profile.ts";
import { memberOfToken, sessionCookieName, type SessionMember } from "./session.ts";

/* For server components only (next/headers). Route handlers use `authenticate`. */

export type CurrentMember = SessionMember & ReturnType<typeof shownPreferences>;

/** The signed-in member, or null. Read once for each page. */
export const currentMember = cache(async (): Promise<CurrentMember | null> => {
  const member = await memberOfToken((await cookies()).get(sessionCookieName())?.value, await headers());
  return member && { ...member, ...shownPreferences(member.preferences) };
});

/** The signed-in member. Redirects others to the sign-in page, which returns to the requested page. */
export async function requireMember(): Promise<CurrentMember> {
  const member = await currentMember();
  if (member !== null) return member;
  // Set by proxy.ts, because a layout does not know the path of its page.
  const back = callbackPath((await headers()).get("x-page"));
  redirect(back === "/" ? "/sign-in" : `/sign-in?callbackUrl=${encodeURIComponent(back)}`);
}

/** The signed-in member. Redirects members with a lower role to the start page. */
export async function requireRole(minRole: Role): Promise<CurrentMember> {
  const member = await requireMember();
  return roles.indexOf(member.role) >= roles.indexOf(minRole) ? member : redirect("/");
}
