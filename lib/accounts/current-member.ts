import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { env } from "#lib/base/env.ts";
import { roles, type Role } from "#lib/base/http/permissions.ts";
import { callbackPath } from "./callback-path.ts";
import { memberOfToken, sessionCookieName } from "./session.ts";

/* For server components only (next/headers). Route handlers use `authenticate`. */

export type CurrentMember = {
  id: number;
  name: string;
  email: string;
  role: Role;
  /** IANA name; TIME_ZONE until the member chooses one. */
  time_zone: string;
  theme: "system" | "light" | "dark";
  preferences: Record<string, unknown>;
  session_id: string;
};

/** One query for each page. */
export const currentMember = cache(async (): Promise<CurrentMember | null> => {
  const member = await memberOfToken((await cookies()).get(sessionCookieName())?.value, await headers());
  if (member === null) return null;
  const { time_zone, theme } = member.preferences;
  return {
    id: member.id,
    name: member.name,
    email: member.email,
    role: member.role,
    time_zone: typeof time_zone === "string" ? time_zone : env().TIME_ZONE,
    theme: theme === "light" || theme === "dark" ? theme : "system",
    preferences: member.preferences,
    session_id: member.session_id,
  };
});

/** Redirects others to the sign-in page, which returns to the requested page. */
export async function requireMember(): Promise<CurrentMember> {
  const member = await currentMember();
  if (member !== null) return member;
  // Set by proxy.ts, because a layout does not know the path of its page.
  const back = callbackPath((await headers()).get("x-page"));
  redirect(back === "/" ? "/sign-in" : `/sign-in?callbackUrl=${encodeURIComponent(back)}`);
}

/** Redirects members with a lower role to the start page. */
export async function requireRole(minRole: Role): Promise<CurrentMember> {
  const member = await requireMember();
  return roles.indexOf(member.role) >= roles.indexOf(minRole) ? member : redirect("/");
}
