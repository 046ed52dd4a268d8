import { describe, expect, it } from "vitest";
import { POST as addMember } from "#app/api/v1/members/route.ts";
import { POST as changePassword } from "#app/api/v1/profile/password/route.ts";
import { GET as getProfile, PATCH as patchProfile } from "#app/api/v1/profile/route.ts";
import { POST as signOut } from "#app/api/v1/profile/sign-out/route.ts";
import type { Profile } from "#lib/accounts/member-schema.ts";
import { hashPassword } from "#lib/accounts/password.ts";
import { db } from "#lib/base/db.ts";
import { makeMember } from "#tests/setup/factories.ts";
import { sessionHeaders } from "#tests/setup/request.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";
import { address, ask, type Failure, followed, password, signedIn } from "./member-calls.ts";

describe("a profile", () => {
  it("is shown to its member", async () => {
    const ana = await signedIn("viewer");
    const { json } = await ask<Profile>(getProfile, ana, "GET", "/api/v1/profile");
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
    const patch = (body: unknown) =>
      ask<Profile & Failure>(patchProfile, ana, "PATCH", "/api/v1/profile", body);
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
    expect((await ask(patchProfile, ana, "PATCH", "/api/v1/profile", body)).status).toBe(422);
    const { role, preferences } = await db.member.findUniqueOrThrow({ where: { id: ana.member.id } });
    expect([role, preferences]).toEqual(["viewer", {}]);
  });

  it("refuses deeply nested preferences", async () => {
    const ana = await signedIn("viewer");
    const body = `{"preferences":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
    const answer = await ask<Failure>(patchProfile, ana, "PATCH", "/api/v1/profile", body);
    expect([answer.status, answer.json.detail]).toEqual([
      422,
      "Validation error: preferences: must not be nested deeper than 32",
    ]);
  });

  it("changes the password only with the old one and keeps only this session", async () => {
    const email = address();
    const admin = await signedIn();
    await ask(addMember, admin, "POST", "/api/v1/members", { email, name: "Ben", role: "viewer", password });
    const [here, elsewhere] = [new AuthBrowser(), new AuthBrowser()];
    await here.signIn(email, password);
    await elsewhere.signIn(email, password);
    const change = (body: unknown) =>
      ask<Failure>(
        changePassword,
        { headers: { cookie: here.cookie, ...followed } },
        "POST",
        "/api/v1/profile/password",
        body,
      );
    const wrong = await change({ current_password: "guessed it?", new_password: "a new sentence" });
    expect([wrong.status, wrong.json.detail]).toEqual([409, "The current password is not right"]);
    expect((await change({ new_password: "a new sentence" })).status).toBe(409);
    expect((await change({ current_password: password, new_password: "short" })).status).toBe(422);
    const right = await change({ current_password: password, new_password: "a new sentence" });
    expect(right.status).toBe(204);
    const [cookie = ""] = right.headers.getSetCookie();
    expect(cookie).toMatch(
      /^next-auth\.session-token=[\w.-]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const asked = (sent: string) => ask(getProfile, { headers: { cookie: sent } }, "GET", "/api/v1/profile");
    expect((await asked(cookie.split(";")[0] ?? "")).status).toBe(200);
    expect((await asked(here.cookie)).status).toBe(401);
    expect((await asked(elsewhere.cookie)).status).toBe(401);
    expect((await new AuthBrowser().signIn(email, password)).location).toContain("error=CredentialsSignin");
    expect((await new AuthBrowser().signIn(email, "a new sentence")).location).toBe("/");
  });

  it("accepts one of two parallel changes and resets earlier failures", async () => {
    const ben = await makeMember("viewer", { password_hash: await hashPassword(password) });
    const who = { headers: await sessionHeaders(ben) };
    const change = (current_password: string, new_password: string) =>
      ask<Failure>(changePassword, who, "POST", "/api/v1/profile/password", {
        current_password,
        new_password,
      });
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
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await failures()).toEqual([]);
  });

  it("sets a first password without an old one, and ends all sessions on request", async () => {
    const ana = await signedIn("viewer");
    const set = await ask(changePassword, ana, "POST", "/api/v1/profile/password", {
      new_password: password,
    });
    expect(set.status).toBe(204);
    const browser = new AuthBrowser();
    await browser.signIn(ana.member.email, password);
    const headers = { cookie: browser.cookie, ...followed };
    expect((await ask(signOut, { headers }, "POST", "/api/v1/profile/sign-out")).status).toBe(204);
    expect((await ask(getProfile, { headers }, "GET", "/api/v1/profile")).status).toBe(401);
  });

  it("allows provider sign-in and always keeps one way to sign in", async () => {
    const ana = await signedIn("viewer");
    const patch = (providers: string[]) =>
      ask<Profile & Failure>(patchProfile, ana, "PATCH", "/api/v1/profile", { sign_in_with: providers });
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
