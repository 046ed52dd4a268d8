import { createMember, updateMember } from "#lib/accounts/accounts.ts";
import { principalOfMember } from "#lib/accounts/authenticate.ts";
import { createInvitation, listLinks } from "#lib/accounts/links.ts";
import { InvitationCreate, MemberUpdate, type Link } from "#lib/accounts/member-schema.ts";
import { parse } from "#lib/accounts/route.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import { servicePrincipal, type Principal } from "#lib/base/http/principal.ts";
import { makeMember, unique } from "#tests/setup/factories.ts";
import { outcome } from "#tests/setup/operations.ts";
import { call, type RouteHandler, sessionHeaders } from "#tests/setup/request.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";

export type Failure = { detail: string };
export type Who = { key?: string; headers?: Record<string, string> };
export type Actor = { me: Principal };
export const password = "correct horse battery";

export async function signedIn(role: Role = "admin") {
  const member = await makeMember(role);
  return { member, me: principalOfMember({ ...member, role }, null), headers: await sessionHeaders(member) };
}
export function ask<Body>(
  handler: RouteHandler,
  { key, headers }: Who,
  method: string,
  path: string,
  body?: unknown,
) {
  return call<Body>(handler, {
    method,
    path,
    body,
    ...(key ? { key } : {}),
    ...(headers ? { headers } : {}),
  });
}
export const address = () => `someone${unique()}@example.org`;

/** Ana, who signs in with `password`. */
export async function person<OfRole extends Role = "viewer">(role = "viewer" as OfRole) {
  const made = await createMember(servicePrincipal, { email: address(), name: "Ana", role, password });
  return { ...made, role };
}
export const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";
export const followed = { "sec-fetch-site": "same-origin" };

export async function invited({ me }: Actor, email = address(), role: Role = "reviewer") {
  const made = await createInvitation(me, parse(InvitationCreate, { email, role }, "body"));
  const link = (await listLinks()).find((each) => each.email === email.toLowerCase()) as Link;
  return { ...link, ...made, token: tokenOf(made.url) };
}

export const changeMember = ({ me }: Actor, id: number, body: object) =>
  outcome(async () => updateMember(me, id, parse(MemberUpdate, body, "body")));

export const useLink = async (form: Record<string, string>, browser = new AuthBrowser()) =>
  (await browser.post("callback/link", { name: "Cleo", password, ...form }, followed)).location;
