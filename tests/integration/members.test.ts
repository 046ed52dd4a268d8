import { describe, expect, it } from "vitest";
import { GET as listMembers, POST as addMember } from "#app/api/v1/members/route.ts";
import { GET as getMember, PATCH as patchMember } from "#app/api/v1/members/[id]/route.ts";
import { POST as resetLink } from "#app/api/v1/members/[id]/reset-link/route.ts";
import { POST as memberSignOut } from "#app/api/v1/members/[id]/sign-out/route.ts";
import { GET as listInvitations, POST as invite } from "#app/api/v1/members/invitations/route.ts";
import { DELETE as withdraw } from "#app/api/v1/members/invitations/[id]/route.ts";
import { GET as getProfile, PATCH as patchProfile } from "#app/api/v1/profile/route.ts";
import { POST as changePassword } from "#app/api/v1/profile/password/route.ts";
import { POST as signOut } from "#app/api/v1/profile/sign-out/route.ts";
import type { Role } from "#lib/auth/permissions.ts";
import { db } from "#lib/db.ts";
import { readLink } from "#lib/members/read-link.ts";
import type { InvitationCreated, Member, Profile, ResetLink } from "#lib/members/schema.ts";
import { Browser } from "#tests/setup/browser.ts";
import { makeKey, makeMember, unique } from "#tests/setup/factories.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";
import { sessionHeaders } from "#tests/setup/session.ts";

type Failure = { detail: string };
type Who = { key?: string; headers?: Record<string, string> };
const password = "correct horse battery";

async function signedIn(role: Role = "admin") {
  const member = await makeMember(role);
  return { member, headers: await sessionHeaders(member) };
}
function ask<Body>(
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
const address = () => `someone${unique()}@example.org`;
const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";
const followed = { "sec-fetch-site": "same-origin" };

async function invited(who: Who, email = address(), role: Role = "reviewer") {
  const { json } = await ask<InvitationCreated>(invite, who, "POST", "/api/v1/members/invitations", {
    email,
    role,
  });
  return { ...json, token: tokenOf(json.url) };
}

describe("members", () => {
  it("are added, listed and shown by admins, and never with their hash", async () => {
    const { headers } = await signedIn();
    const email = address();
    const body = { email: ` ${email.toUpperCase()} `, name: " Ben ", role: "viewer", password };
    const answer = await ask<Member>(addMember, { headers }, "POST", "/api/v1/members", body);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("location")).toBe(`/api/v1/members/${answer.json.id}`);
    expect(answer.json).toMatchObject({
      email,
      name: "Ben",
      role: "viewer",
      has_password: true,
      disabled_at: null,
    });
    const shown = await ask<Member>(
      getMember,
      { headers },
      "GET",
      "/api/v1/members/1",
      undefined,
      answer.json.id,
    );
    expect(shown.json).toEqual(answer.json);
    const all = await ask<{ items: Member[]; total: number }>(
      listMembers,
      { headers },
      "GET",
      "/api/v1/members?limit=1000",
    );
    expect(all.json.items).toContainEqual(answer.json);
    expect(all.json.total).toBe(await db.member.count());
    expect(all.text).not.toMatch(/argon2|password_hash/);
    expect((await new Browser().signIn(email, password)).location).toBe("/");
    const again = await ask<Failure>(addMember, { headers }, "POST", "/api/v1/members", body);
    expect([again.status, again.json.detail]).toEqual([
      409,
      "A member with this e-mail address already exists",
    ]);
  });

  it.each([
    [{ email: "nobody" }, "email: must be an e-mail address"],
    [{ email: "a\0@b.c" }, "email: must be an e-mail address"],
    [{ email: `${"x".repeat(250)}@example.org` }, "email: must have at most 254 characters"],
    [{ name: "  " }, "name: must not be empty"],
    [{ role: "owner" }, "role"],
    [{ password: "too short" }, "password: must have at least 10 characters"],
    [{ password: "x".repeat(257) }, "password: must have at most 256 characters"],
    [{ password: "nul \0 inside it" }, "password: must not contain a NUL character"],
  ])("are not added with %j", async (wrong, detail) => {
    const { headers } = await signedIn();
    const body = { email: address(), name: "Ben", role: "viewer", password, ...wrong };
    const answer = await ask<Failure>(addMember, { headers }, "POST", "/api/v1/members", body);
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toContain(`Validation error: ${detail}`);
  });

  it("are shown to admins and their keys only, and changed by no key", async () => {
    for (const role of ["viewer", "reviewer"] as const) {
      const { headers } = await signedIn(role);
      const answer = await ask<Failure>(listMembers, { headers }, "GET", "/api/v1/members");
      expect([answer.status, answer.json.detail]).toEqual([403, "Your role does not allow this"]);
    }
    const key = await makeKey();
    expect((await ask(listMembers, { key }, "GET", "/api/v1/members")).status).toBe(200);
    const refused = await ask<Failure>(invite, { key }, "POST", "/api/v1/members/invitations", {
      email: address(),
      role: "admin",
    });
    expect([refused.status, refused.json.detail]).toEqual([
      403,
      "This needs a signed-in member, not an API key",
    ]);
  });

  it("change role at once, for their session and their keys", async () => {
    const admin = await signedIn();
    const ben = await signedIn("admin");
    const key = await makeKey({ created_by: ben.member.id });
    const change = await ask<Member>(
      patchMember,
      admin,
      "PATCH",
      "/api/v1/members/1",
      { role: "viewer" },
      ben.member.id,
    );
    expect([change.status, change.json.role]).toEqual([200, "viewer"]);
    expect((await ask(listMembers, { headers: ben.headers }, "GET", "/api/v1/members")).status).toBe(403);
    const byKey = await ask<Failure>(listMembers, { key }, "GET", "/api/v1/members");
    expect([byKey.status, byKey.json.detail]).toEqual([403, "API key lacks the scope 'manage'"]);
    const line = await db.audit_event.findFirstOrThrow({
      where: { action: "member.role", member_id: admin.member.id },
    });
    expect(line).toMatchObject({
      before: { role: "admin" },
      after: { role: "viewer" },
      actor: admin.member.name,
    });
  });

  it("are disabled at once and stay signed out when they are enabled again", async () => {
    const admin = await signedIn();
    const ben = await signedIn("reviewer");
    const key = await makeKey({ created_by: ben.member.id, role: "reviewer" });
    const set = (disabled: boolean) =>
      ask<Member>(patchMember, admin, "PATCH", "/api/v1/members/1", { disabled }, ben.member.id);
    expect((await set(true)).json.disabled_at).not.toBeNull();
    expect((await ask(getProfile, { headers: ben.headers }, "GET", "/api/v1/profile")).status).toBe(401);
    expect((await ask(listMembers, { key }, "GET", "/api/v1/members")).status).toBe(401);
    await set(true);
    expect((await set(false)).json.disabled_at).toBeNull();
    expect((await ask(getProfile, { headers: ben.headers }, "GET", "/api/v1/profile")).status).toBe(401);
    expect((await ask(listMembers, { key }, "GET", "/api/v1/members")).status).toBe(403);
    expect(
      await db.audit_event.count({ where: { action: "member.disable", member_id: admin.member.id } }),
    ).toBe(1);
  });

  it("change their name in the log too, and nothing when nothing changes", async () => {
    const admin = await signedIn();
    const ben = await makeMember("viewer");
    const patch = (body: unknown) =>
      ask<Member>(patchMember, admin, "PATCH", "/api/v1/members/1", body, ben.id);
    expect((await patch({ name: "Benjamin" })).json.name).toBe("Benjamin");
    expect((await patch({ name: "Benjamin", role: "viewer", disabled: false })).status).toBe(200);
    expect(await db.audit_event.count({ where: { member_id: admin.member.id } })).toBe(1);
    expect((await patch({})).status).toBe(422);
    expect((await patch({ nonsense: 1 })).status).toBe(422);
  });

  it("keep one admin who can act, whoever goes first", async () => {
    await db.member.updateMany({ where: { role: "admin" }, data: { role: "viewer" } });
    const admins = await Promise.all([signedIn(), signedIn(), signedIn()]);
    // Each demotes or disables themselves at the same moment.
    const answers = await Promise.all(
      admins.map((who, i) =>
        ask<Failure>(
          patchMember,
          who,
          "PATCH",
          "/api/v1/members/1",
          i % 2 ? { disabled: true } : { role: "viewer" },
          who.member.id,
        ),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 409]);
    expect(answers.find((answer) => answer.status === 409)?.json.detail).toBe(
      "The last admin cannot be removed, disabled or demoted",
    );
    expect(await db.member.count({ where: { role: "admin", disabled_at: null } })).toBe(1);
  });

  it("are signed out everywhere by an admin", async () => {
    const admin = await signedIn();
    const ben = await signedIn("viewer");
    expect(
      (await ask(memberSignOut, admin, "POST", "/api/v1/members/1/sign-out", undefined, ben.member.id))
        .status,
    ).toBe(204);
    expect((await ask(getProfile, { headers: ben.headers }, "GET", "/api/v1/profile")).status).toBe(401);
  });
});

describe("an invitation", () => {
  it("makes a member with its role, once, and signs in", async () => {
    const admin = await signedIn();
    const invitation = await invited(admin);
    expect(invitation.url).toBe(`http://localhost:3000/invitation?token=${invitation.token}`);
    const days = (Date.parse(invitation.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
    expect(await readLink("invite", invitation.token)).toEqual({
      email: invitation.email,
      name: null,
      role: "reviewer",
    });
    const form = {
      kind: "invitation",
      token: invitation.token,
      name: "Cleo",
      password,
      email: "other@example.org",
    };
    const browser = new Browser();
    expect((await browser.post("callback/link", form, followed)).location).toBe("/");
    const { json } = await browser.get("session");
    expect(json?.user).toMatchObject({ email: invitation.email, name: "Cleo", role: "reviewer" });
    const again = await new Browser().post("callback/link", form, followed);
    expect(again.location).toBe(`/invitation?token=${invitation.token}&error=LinkNotValid`);
    expect(await readLink("invite", invitation.token)).toBeNull();
    expect((await new Browser().signIn(invitation.email, password)).location).toBe("/");
  });

  it("accepted twice at the same moment makes one member", async () => {
    const invitation = await invited(await signedIn());
    const form = { kind: "invitation", token: invitation.token, name: "Cleo", password };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => new Browser().post("callback/link", form, followed)),
    );
    expect(answers.filter((answer) => answer.location === "/")).toHaveLength(1);
    expect(await db.member.count({ where: { email: invitation.email } })).toBe(1);
  });

  it("is not used up by a refused form", async () => {
    const invitation = await invited(await signedIn());
    const send = (form: Record<string, string>) =>
      new Browser().post(
        "callback/link",
        { kind: "invitation", token: invitation.token, name: "Cleo", password, ...form },
        followed,
      );
    expect((await send({ password: "short" })).location).toContain("error=InvalidInput");
    expect((await send({ name: " " })).location).toContain("error=InvalidInput");
    expect((await send({ kind: "reset" })).location).toContain("error=LinkNotValid");
    expect((await send({ kind: "nonsense" })).location).toContain("error=LinkNotValid");
    expect((await send({})).location).toBe("/");
  });

  it("is replaced by the next one for the same address, listed, and withdrawn", async () => {
    const admin = await signedIn();
    const first = await invited(admin);
    const second = await invited(admin, first.email.toUpperCase(), "viewer");
    expect(await readLink("invite", first.token)).toBeNull();
    const list = async () =>
      (
        await ask<{ items: { id: number; email: string }[] }>(
          listInvitations,
          admin,
          "GET",
          "/api/v1/members/invitations",
        )
      ).json;
    expect((await list()).items.filter((each) => each.email === first.email).map((each) => each.id)).toEqual([
      second.id,
    ]);
    expect(JSON.stringify(await list())).not.toContain(second.token);
    const drop = () =>
      ask<Failure>(withdraw, admin, "DELETE", "/api/v1/members/invitations/1", undefined, second.id);
    expect((await drop()).status).toBe(204);
    expect(await readLink("invite", second.token)).toBeNull();
    const again = await drop();
    expect([again.status, again.json.detail]).toEqual([404, "Invitation not found"]);
  });

  it("is not made for a member, ends with time, and is worth nothing to a made-up token", async () => {
    const admin = await signedIn();
    const taken = await ask<Failure>(invite, admin, "POST", "/api/v1/members/invitations", {
      email: admin.member.email,
      role: "viewer",
    });
    expect(taken.status).toBe(409);
    const invitation = await invited(admin);
    await db.invitation.update({
      where: { id: invitation.id },
      data: { expires_at: new Date(Date.now() - 1000) },
    });
    expect(await readLink("invite", invitation.token)).toBeNull();
    for (const token of [invitation.token, "", "made-up", "\0", "x".repeat(5000)]) {
      const form = { kind: "invitation", token, name: "Cleo", password };
      expect((await new Browser().post("callback/link", form, followed)).location).toContain(
        "error=LinkNotValid",
      );
    }
  });

  it("for an address that became a member meanwhile says so", async () => {
    const invitation = await invited(await signedIn());
    await makeMember("viewer", { email: invitation.email });
    const form = { kind: "invitation", token: invitation.token, name: "Cleo", password };
    expect((await new Browser().post("callback/link", form, followed)).location).toContain(
      "error=MemberExists",
    );
  });
});

describe("a reset link", () => {
  const linkFor = async (id: number, who?: Who) =>
    ask<ResetLink>(
      resetLink,
      who ?? (await signedIn()),
      "POST",
      "/api/v1/members/1/reset-link",
      undefined,
      id,
    );

  it("sets a new password, once, and ends the old sessions", async () => {
    const ben = await signedIn("viewer");
    const first = await linkFor(ben.member.id);
    expect(first.status).toBe(201);
    const { json } = await linkFor(ben.member.id);
    const token = tokenOf(json.url);
    expect(json.url).toBe(`http://localhost:3000/reset?token=${token}`);
    expect(await readLink("reset", tokenOf(first.json.url))).toBeNull();
    expect(await readLink("reset", token)).toEqual({
      email: ben.member.email,
      name: ben.member.name,
      role: null,
    });
    const browser = new Browser();
    const send = () =>
      browser.post("callback/link", { kind: "reset", token, password: "another good one" }, followed);
    expect((await send()).location).toBe("/");
    expect((await browser.get("session")).json?.user).toMatchObject({ id: ben.member.id });
    expect((await ask(getProfile, { headers: ben.headers }, "GET", "/api/v1/profile")).status).toBe(401);
    expect((await send()).location).toContain("error=LinkNotValid");
    expect((await new Browser().signIn(ben.member.email, "another good one")).location).toBe("/");
  });

  it("does nothing for a disabled member", async () => {
    const ben = await makeMember("viewer");
    const token = tokenOf((await linkFor(ben.id)).json.url);
    await db.member.update({ where: { id: ben.id }, data: { disabled_at: new Date() } });
    expect(await readLink("reset", token)).toBeNull();
    const answer = await new Browser().post("callback/link", { kind: "reset", token, password }, followed);
    expect(answer.location).toContain("error=LinkNotValid");
  });
});

describe("a profile", () => {
  it("is one's own, by session only", async () => {
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
    const byKey = await ask<Failure>(getProfile, { key: await makeKey() }, "GET", "/api/v1/profile");
    expect([byKey.status, byKey.json.detail]).toEqual([403, "This needs a signed-in member, not an API key"]);
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
    [{ unknown: 1 }],
    [{ time_zone: "Mars/Base" }],
    [{ theme: "pink" }],
    [{ name: "" }],
    [{ preferences: [] }],
    [{ preferences: { "a b": 1 } }],
    [{ preferences: { a: "nul \0" } }],
    [{ preferences: { a: "broken \ud800" } }],
    [{ preferences: { a: "x".repeat(17_000) } }],
    [{ sign_in_with: ["myspace"] }],
    [{ role: "admin" }],
  ])("refuses %j", async (body) => {
    const ana = await signedIn("viewer");
    expect((await ask(patchProfile, ana, "PATCH", "/api/v1/profile", body)).status).toBe(422);
    expect(await db.member.findUnique({ where: { id: ana.member.id } })).toMatchObject({
      role: "viewer",
      preferences: {},
    });
  });

  it("refuses preferences nested without end", async () => {
    const ana = await signedIn("viewer");
    const body = `{"preferences":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
    const answer = await ask<Failure>(patchProfile, ana, "PATCH", "/api/v1/profile", body);
    expect([answer.status, answer.json.detail]).toEqual([
      422,
      "Validation error: preferences: must not be nested deeper than 32",
    ]);
  });

  it("refuses to grow without end", async () => {
    const ana = await signedIn("viewer");
    const patch = (name: string) =>
      ask<Failure>(patchProfile, ana, "PATCH", "/api/v1/profile", {
        preferences: { [name]: "x".repeat(12_000) },
      });
    expect([(await patch("a")).status, (await patch("b")).status, (await patch("c")).status]).toEqual([
      200, 200, 422,
    ]);
  });

  it("changes the password with the old one only, and stays signed in here and nowhere else", async () => {
    const email = address();
    const admin = await signedIn();
    await ask(addMember, admin, "POST", "/api/v1/members", { email, name: "Ben", role: "viewer", password });
    const [here, elsewhere] = [new Browser(), new Browser()];
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
    expect((await new Browser().signIn(email, password)).location).toContain("error=CredentialsSignin");
    expect((await new Browser().signIn(email, "a new sentence")).location).toBe("/");
  });

  it("sets a first password without an old one, and ends all sessions on request", async () => {
    const ana = await signedIn("viewer");
    const set = await ask(changePassword, ana, "POST", "/api/v1/profile/password", {
      new_password: password,
    });
    expect(set.status).toBe(204);
    const browser = new Browser();
    await browser.signIn(ana.member.email, password);
    const headers = { cookie: browser.cookie, ...followed };
    expect((await ask(signOut, { headers }, "POST", "/api/v1/profile/sign-out")).status).toBe(204);
    expect((await ask(getProfile, { headers }, "GET", "/api/v1/profile")).status).toBe(401);
  });

  it("allows services to sign in, but never leaves no way in", async () => {
    const ana = await signedIn("viewer");
    const patch = (providers: string[]) =>
      ask<Profile & Failure>(patchProfile, ana, "PATCH", "/api/v1/profile", { sign_in_with: providers });
    expect((await patch(["github"])).json.sign_in_with).toEqual(["github"]);
    const none = await patch([]);
    expect([none.status, none.json.detail]).toEqual([
      409,
      "Set a password first: there would be no way left to sign in",
    ]);
    await db.member.update({ where: { id: ana.member.id }, data: { password_hash: "x" } });
    expect((await patch([])).json.sign_in_with).toEqual([]);
  });
});
