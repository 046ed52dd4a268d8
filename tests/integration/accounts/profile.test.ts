import { describe, expect, it } from "vitest";
import { GET as getProfile } from "#app/api/v1/profile/route.ts";
import { createMember, signOutEverywhere } from "#lib/accounts/accounts.ts";
import { principalOfMember } from "#lib/accounts/authenticate.ts";
import { PasswordChange, ProfileUpdate, type Profile } from "#lib/accounts/member-schema.ts";
import { hashPassword } from "#lib/accounts/password.ts";
import { changePassword, updateProfile } from "#lib/accounts/profile.ts";
import { parse } from "#lib/accounts/route.ts";
import { sessionCookie } from "#lib/accounts/session.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal, type Principal } from "#lib/base/http/principal.ts";
import { makeMember } from "#tests/setup/factories.ts";
import { outcome } from "#tests/setup/operations.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";
import { type Actor, address, ask, followed, password, signedIn, type Who } from "./member-calls.ts";

const read = (who: Who) => ask<Profile>(getProfile, who, "GET", "/api/v1/profile");
const patchAs =
  ({ me }: Actor) =>
  (body: unknown) =>
    outcome(async () => updateProfile(me, parse(ProfileUpdate, body, "body")));
const changeAs = (me: Principal) => (body: unknown) =>
  outcome(async () => changePassword(me, me.session_id, parse(PasswordChange, body, "body"), new Headers()));

describe("a profile", () => {
  it("is shown to its member", async () => {
    const ana = await signedIn("viewer");
    const { json } = await read(ana);
    expect(json).toEqual({
      id: ana.member.id,
      email: ana.member.email,
      name: ana.member.name,
      role: "viewer",
      time_zone: "UTC",
      theme: "system",
      preferences: {},
      has_password: false,
      sign_in_with: [],
    });
  });

  it("keeps name, zone, theme and preferences, merged by name", async () => {
    const ana = await signedIn("viewer");
    const patch = patchAs(ana);
    const first = await patch({
      name: "Ana L.",
      time_zone: "Europe/Berlin",
      theme: "dark",
      preferences: { blur: "grey", keys: { approve: "a" } },
    });
    expect(first.json).toMatchObject({ name: "Ana L.", time_zone: "Europe/Berlin", theme: "dark" });
    const second = await patch({
      theme: "system",
      preferences: { blur: null, pause: 20, theme: "evil", time_zone: "evil" },
    });
    expect(second.json).toMatchObject({ theme: "system", time_zone: "Europe/Berlin" });
    expect(second.json.preferences).toEqual({ keys: { approve: "a" }, pause: 20 });
    expect((await patch({ time_zone: null })).json.time_zone).toBe("UTC");
  });

  it.each([
    [{}],
    [{ time_zone: "Mars/Base" }],
    [{ preferences: { "a b": 1 } }],
    [{ preferences: { a: "broken \ud800" } }],
    [{ preferences: { a: "x".repeat(17_000) } }],
    [{ sign_in_with: ["myspace"] }],
    [{ role: "admin" }],
  ])("refuses %j", async (body) => {
    const ana = await signedIn("viewer");
    expect((await patchAs(ana)(body)).status).toBe(422);
    const { role, preferences } = await db.member.findUniqueOrThrow({ where: { id: ana.member.id } });
    expect([role, preferences]).toEqual(["viewer", {}]);
  });

  it("refuses deeply nested preferences", async () => {
    const ana = await signedIn("viewer");
    const nested: unknown = JSON.parse(`${"[".repeat(1_000)}${"]".repeat(1_000)}`);
    const answer = await patchAs(ana)({ preferences: { a: nested } });
    expect([answer.status, answer.json.detail]).toEqual([
      422,
      "Validation error: preferences: must not be nested deeper than 32",
    ]);
  });

  it("changes the password only with the old one and keeps only this session", async () => {
    const email = address();
    const ben = await createMember(servicePrincipal, { email, name: "Ben", role: "viewer", password });
    const [here, elsewhere] = [new AuthBrowser(), new AuthBrowser()];
    await here.signIn(email, password);
    await elsewhere.signIn(email, password);
    const change = changeAs(principalOfMember(ben, null));
    const wrong = await change({ current_password: "guessed it?", new_password: "a new sentence" });
    expect([wrong.status, wrong.json.detail]).toEqual([409, "The current password is not right"]);
    expect((await change({ new_password: "a new sentence" })).status).toBe(409);
    expect((await change({ current_password: password, new_password: "short" })).status).toBe(422);
    const right = await change({ current_password: password, new_password: "a new sentence" });
    const fresh = await sessionCookie(ben.id, right.json);
    expect(fresh).toMatchObject({
      name: "next-auth.session-token",
      maxAge: 2_592_000,
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: false,
    });
    const asked = (cookie: string) => read({ headers: { cookie } });
    expect((await asked(`${fresh.name}=${fresh.value}`)).status).toBe(200);
    expect((await asked(here.cookie)).status).toBe(401);
    expect((await asked(elsewhere.cookie)).status).toBe(401);
    expect((await new AuthBrowser().signIn(email, password)).location).toContain("error=CredentialsSignin");
    expect((await new AuthBrowser().signIn(email, "a new sentence")).location).toBe("/");
  });

  it("accepts one of two parallel changes and resets earlier failures", async () => {
    const ben = await makeMember("viewer", { password_hash: await hashPassword(password) });
    const { id: session_id } = await db.session.create({ data: { member_id: ben.id } });
    const me = principalOfMember({ ...ben, role: "viewer" }, session_id);
    const change = (current_password: string, new_password: string) =>
      changeAs(me)({ current_password, new_password });
    const failures = async () =>
      (await db.sign_in_attempt.findMany({ where: { subject: { startsWith: "browser:" } } })).map(
        (row) => row.failures,
      );
    await db.sign_in_attempt.deleteMany();
    expect((await change("guessed it?", "a new sentence")).status).toBe(409);
    expect(await failures()).toEqual([1]);
    const answers = await Promise.all([
      change(password, "a new sentence"),
      change(password, "another sentence"),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await failures()).toEqual([]);
  });

  it("sets a first password without an old one, and ends all sessions on request", async () => {
    const ana = await signedIn("viewer");
    expect((await changeAs(ana.me)({ new_password: password })).status).toBe(200);
    const browser = new AuthBrowser();
    await browser.signIn(ana.member.email, password);
    const headers = { cookie: browser.cookie, ...followed };
    await signOutEverywhere(ana.me, ana.member.id);
    expect((await read({ headers })).status).toBe(401);
  });

  it("allows provider sign-in and always keeps one way to sign in", async () => {
    const ana = await signedIn("viewer");
    const patch = (providers: string[]) => patchAs(ana)({ sign_in_with: providers });
    expect((await patch(["github"])).json.sign_in_with).toEqual(["github"]);
    const none = await patch([]);
    expect([none.status, none.json.detail]).toEqual([
      409,
      "Set a password first: there would be no way left to sign in",
    ]);
    await db.member.update({
      where: { id: ana.member.id },
      data: { password_hash: "x", linked_accounts: { github: "7" } },
    });
    const linked = async () =>
      (await db.member.findUniqueOrThrow({ where: { id: ana.member.id } })).linked_accounts;
    // Adding a provider keeps the other's link; removing and allowing one again loses it.
    expect((await patch(["github", "oidc"])).json.sign_in_with).toEqual(["github", "oidc"]);
    expect(await linked()).toEqual({ github: "7", oidc: null });
    expect((await patch([])).json.sign_in_with).toEqual([]);
    await patch(["github"]);
    expect(await linked()).toEqual({ github: null });
  });
});
