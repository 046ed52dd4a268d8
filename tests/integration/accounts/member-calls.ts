import { PATCH as patchMember } from "#app/api/v1/members/[id]/route.ts";
import { POST as invite } from "#app/api/v1/members/links/route.ts";
import type { InvitationCreated, Member } from "#lib/accounts/member-schema.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import { makeMember, unique } from "#tests/setup/factories.ts";
import { call, type RouteHandler, sessionHeaders } from "#tests/setup/request.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";

export type Failure = { detail: string };
export type Who = { key?: string; headers?: Record<string, string> };
export const password = "correct horse battery";

export async function signedIn(role: Role = "admin") {
  const member = await makeMember(role);
  return { member, headers: await sessionHeaders(member) };
}
export function ask<Body>(
  handler: RouteHandler,
  who: Who,
  method: string,
  path: string,
  body?: unknown,
  id?: number,
) {
  return call<Body>(handler, {
    method,
    path,
    body,
    ...who,
    ...(id === undefined ? {} : { params: { id: String(id) } }),
  });
}
export const address = () => `someone${unique()}@example.org`;
export const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";
export const followed = { "sec-fetch-site": "same-origin" };

export async function invited(who: Who, email = address(), role: Role = "reviewer") {
  const { json } = await ask<InvitationCreated>(invite, who, "POST", "/api/v1/members/links", {
    email,
    role,
  });
  return { ...json, token: tokenOf(json.url) };
}

export const changeMember = (who: Who, id: number, body: object) =>
  ask<Member & Failure>(patchMember, who, "PATCH", "/api/v1/members/1", body, id);

export const useLink = async (form: Record<string, string>, browser = new AuthBrowser()) =>
  (await browser.post("callback/link", { name: "Cleo", password, ...form }, followed)).location;
