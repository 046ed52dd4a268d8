import { describe, expect, it } from "vitest";
import { POST as resetLink } from "#app/api/v1/members/[id]/reset-link/route.ts";
import { GET as listInvitations, POST as invite } from "#app/api/v1/members/links/route.ts";
import { GET as listMembers, POST as addMember } from "#app/api/v1/members/route.ts";
import { GET as getProfile } from "#app/api/v1/profile/route.ts";
import { readLink } from "#lib/accounts/links.ts";
import type { Member, ResetLink } from "#lib/accounts/member-schema.ts";
import { db } from "#lib/base/db.ts";
import { makeKey, makeMember } from "#tests/setup/factories.ts";
import { sessionHeaders } from "#tests/setup/request.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";
import {
  address,
  ask,
  changeMember,
  type Failure,
  followed,
  invited,
  password,
  signedIn,
  tokenOf,
  useLink,
  type Who,
} from "./member-calls.ts";

describe("members", () => {
  it("are managed by admins and shown without their password hash", async () => {
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
    const all = await ask<{ items: Member[]; total: number }>(
      listMembers,
      { headers },
      "GET",
      "/api/v1/members?limit=1000",
    );
    expect(all.json.items).toContainEqual(answer.json);
    expect(all.json.total).toBe(await db.member.count());
    expect(all.text).not.toMatch(/argon2|password_hash/);
    expect((await new AuthBrowser().signIn(email, password)).location).toBe("/");
    const again = await ask<Failure>(addMember, { headers }, "POST", "/api/v1/members", body);
    expect([again.status, again.json.detail]).toEqual([
      409,
      "A member with this e-mail address already exists",
    ]);
  });

  it.each([
    [{ email: "nobody" }, "email: must be an e-mail address"],
    [{ name: "  " }, "name: must not be empty"],
    [{ password: "too short" }, "password: must have at least 10 characters"],
    [{ password: "x".repeat(257) }, "password: must have at most 256 characters"],
  ])("are not added with %j", async (wrong, detail) => {
    const { headers } = await signedIn();
    const body = { email: address(), name: "Ben", role: "viewer", password, ...wrong };
    const answer = await ask<Failure>(addMember, { headers }, "POST", "/api/v1/members", body);
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toContain(`Validation error: ${detail}`);
  });

  it("change role at once for sessions and keys", async () => {
    const admin = await signedIn();
    const ben = await signedIn("admin");
    const key = await makeKey({ created_by: ben.member.id });
    const change = await changeMember(admin, ben.member.id, { role: "viewer" });
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

  it("are disabled at once and stay signed out when enabled again", async () => {
    const admin = await signedIn();
    const ben = await signedIn("reviewer");
    const key = await makeKey({ created_by: ben.member.id, role: "reviewer" });
    const set = (disabled: boolean) => changeMember(admin, ben.member.id, { disabled });
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

  it("log a changed name and no unchanged one", async () => {
    const admin = await signedIn();
    const ben = await makeMember("viewer");
    const patch = (body: object) => changeMember(admin, ben.id, body);
    expect((await patch({ name: "Benjamin" })).json.name).toBe("Benjamin");
    expect((await patch({ name: "Benjamin", role: "viewer", disabled: false })).status).toBe(200);
    expect(await db.audit_event.count({ where: { member_id: admin.member.id } })).toBe(1);
    expect((await patch({})).status).toBe(422);
    expect((await patch({ nonsense: 1 })).status).toBe(422);
  });

  it("always keep one active admin", async () => {
    await db.member.updateMany({ where: { role: "admin" }, data: { role: "viewer" } });
    const admins = await Promise.all([signedIn(), signedIn(), signedIn()]);
    const answers = await Promise.all(
      admins.map((who, i) =>
        changeMember(who, who.member.id, i % 2 ? { disabled: true } : { role: "viewer" }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 409]);
    expect(answers.find((answer) => answer.status === 409)?.json.detail).toBe(
      "The last admin cannot be removed, disabled or demoted",
    );
    expect(await db.member.count({ where: { role: "admin", disabled_at: null } })).toBe(1);
    const last = await db.member.findFirstOrThrow({ where: { role: "admin", disabled_at: null } });
    const who = { headers: await sessionHeaders(last) };
    for (const body of [{ disabled: true }, { role: "reviewer" }, { role: "viewer", disabled: true }]) {
      const refused = await changeMember(who, last.id, body);
      expect([body, refused.status]).toEqual([body, 409]);
    }
    expect(await db.member.count({ where: { role: "admin", disabled_at: null } })).toBe(1);
  });
});

describe("an invitation", () => {
  it("creates one member with its role and signs in", async () => {
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
      api_keys: 0,
    });
    const form = {
      kind: "invitation",
      token: invitation.token,
      name: "Cleo",
      password,
      email: "other@example.org",
    };
    const browser = new AuthBrowser();
    expect((await browser.post("callback/link", form, followed)).location).toBe("/");
    const { json } = await browser.get("session");
    expect(json?.user).toMatchObject({ email: invitation.email, name: "Cleo", role: "reviewer" });
    const again = await new AuthBrowser().post("callback/link", form, followed);
    expect(again.location).toBe(`/invitation?token=${invitation.token}&error=LinkNotValid`);
    expect(await readLink("invite", invitation.token)).toBeNull();
    expect((await new AuthBrowser().signIn(invitation.email, password)).location).toBe("/");
  });

  it("stays valid after a refused form, and creates one member of parallel ones", async () => {
    const { token, email } = await invited(await signedIn());
    const send = (form: Record<string, string>) => useLink({ kind: "invitation", token, ...form });
    expect(await send({ password: "short" })).toContain("error=InvalidInput");
    expect(await send({ name: " " })).toContain("error=InvalidInput");
    expect(await send({ kind: "reset" })).toContain("error=LinkNotValid");
    expect(await send({ kind: "nonsense" })).toContain("error=LinkNotValid");
    const answers = await Promise.all([send({}), send({}), send({}), send({})]);
    expect(answers.filter((location) => location === "/")).toHaveLength(1);
    expect(await db.member.count({ where: { email } })).toBe(1);
  });

  it("is replaced by the next one for the address", async () => {
    const admin = await signedIn();
    const first = await invited(admin);
    const second = await invited(admin, first.email.toUpperCase(), "viewer");
    expect(await readLink("invite", first.token)).toBeNull();
    const list = await ask<{ items: { id: number; email: string }[] }>(
      ...([listInvitations, admin, "GET", "/api/v1/members/links"] as const),
    );
    expect(list.json.items.filter(({ email }) => email === first.email).map(({ id }) => id)).toEqual([
      second.id,
    ]);
    expect(list.text).not.toContain(second.token);
  });

  it("is refused for members, expires, and rejects unknown tokens", async () => {
    const admin = await signedIn();
    const taken = await ask<Failure>(invite, admin, "POST", "/api/v1/members/links", {
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
      expect(await useLink({ kind: "invitation", token })).toContain("error=LinkNotValid");
    }
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
    const hours = (Date.parse(first.json.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    const { json } = await linkFor(ben.member.id);
    const token = tokenOf(json.url);
    expect(json.url).toBe(`http://localhost:3000/reset?token=${token}`);
    expect(await readLink("reset", tokenOf(first.json.url))).toBeNull();
    expect(await readLink("reset", token)).toEqual({
      email: ben.member.email,
      name: ben.member.name,
      role: null,
      api_keys: 0,
    });
    const browser = new AuthBrowser();
    const send = () =>
      browser.post("callback/link", { kind: "reset", token, password: "another good one" }, followed);
    expect((await send()).location).toBe("/");
    expect((await browser.get("session")).json?.user).toMatchObject({ id: ben.member.id });
    expect((await ask(getProfile, { headers: ben.headers }, "GET", "/api/v1/profile")).status).toBe(401);
    expect((await send()).location).toContain("error=LinkNotValid");
    expect((await new AuthBrowser().signIn(ben.member.email, "another good one")).location).toBe("/");
  });
});
