import { describe, expect, it } from "vitest";
import { GET as getProfile } from "#app/api/v1/profile/route.ts";
import { GET as getStats } from "#app/api/v1/stats/route.ts";
import { POST as fetchAll } from "#app/api/v1/streams/fetch-all/route.ts";
import { createMember, listMembers } from "#lib/accounts/accounts.ts";
import { createInvitation, createResetLink, listLinks, readLink } from "#lib/accounts/links.ts";
import { MemberCreate } from "#lib/accounts/member-schema.ts";
import { parse } from "#lib/accounts/route.ts";
import { db } from "#lib/base/db.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { outcome } from "#tests/setup/operations.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";
import {
  type Actor,
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

const addMember = ({ me }: Actor, body: object) =>
  outcome(async () => createMember(me, parse(MemberCreate, body, "body")));
const stats = (who: Who) => ask(getStats, who, "GET", "/api/v1/stats");
const profile = (who: Who) => ask(getProfile, who, "GET", "/api/v1/profile");

describe("members", () => {
  it("are added once for an address and shown without their password hash", async () => {
    const admin = await signedIn();
    const email = address();
    const body = { email: ` ${email.toUpperCase()} `, name: " Ben ", role: "viewer", password };
    const { json } = await addMember(admin, body);
    expect(json).toMatchObject({ email, name: "Ben", role: "viewer" });
    const all = await listMembers();
    expect(all).toContainEqual({ ...json, has_password: true, disabled_at: null, last_sign_in_at: null });
    expect(all).toHaveLength(await db.member.count());
    expect(JSON.stringify(all)).not.toMatch(/argon2|password_hash/);
    expect((await new AuthBrowser().signIn(email, password)).location).toBe("/");
    const again = await addMember(admin, body);
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
    const body = { email: address(), name: "Ben", role: "viewer", password, ...wrong };
    const answer = await addMember(await signedIn(), body);
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toContain(`Validation error: ${detail}`);
  });

  it("change role at once for sessions and keys, and log that, not an unchanged role", async () => {
    const admin = await signedIn();
    const ben = await signedIn("admin");
    const key = await makeKey({ created_by: ben.member.id });
    const change = await changeMember(admin, ben.member.id, { role: "viewer" });
    expect([change.status, change.json.role]).toEqual([200, "viewer"]);
    const demoted = await ask(fetchAll, { headers: ben.headers }, "POST", "/api/v1/streams/fetch-all");
    const byKey = await ask<Failure>(fetchAll, { key }, "POST", "/api/v1/streams/fetch-all");
    expect(demoted.status).toBe(403);
    expect([byKey.status, byKey.json.detail]).toEqual([403, "API key lacks the scope 'manage'"]);
    const line = await db.audit_event.findFirstOrThrow({
      where: { action: "member.role", member_id: admin.member.id },
    });
    expect(line).toMatchObject({
      before: { role: "admin" },
      after: { role: "viewer" },
      actor: admin.member.name,
    });
    const unchanged = { role: "viewer", disabled: false };
    expect((await changeMember(admin, ben.member.id, unchanged)).status).toBe(200);
    expect(await db.audit_event.count({ where: { member_id: admin.member.id } })).toBe(1);
    for (const body of [{}, { nonsense: 1 }])
      expect((await changeMember(admin, ben.member.id, body)).status).toBe(422);
  });

  it("are disabled at once and stay signed out when enabled again", async () => {
    const admin = await signedIn();
    const ben = await signedIn("reviewer");
    const key = await makeKey({ created_by: ben.member.id, role: "reviewer" });
    const set = (disabled: boolean) => changeMember(admin, ben.member.id, { disabled });
    expect((await set(true)).json.disabled).toBe(true);
    expect((await profile(ben)).status).toBe(401);
    expect((await stats({ key })).status).toBe(401);
    await set(true);
    expect((await set(false)).json.disabled).toBe(false);
    expect((await profile(ben)).status).toBe(401);
    expect((await stats({ key })).status).toBe(200);
    expect(
      await db.audit_event.count({ where: { action: "member.disable", member_id: admin.member.id } }),
    ).toBe(1);
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
    const who = admins.find(({ member }) => member.id === last.id) as Actor;
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
    const list = await listLinks();
    expect(list.filter(({ email }) => email === first.email).map(({ id }) => id)).toEqual([second.id]);
    expect(JSON.stringify(list)).not.toContain(second.token);
  });

  it("is refused for members, expires, and rejects unknown tokens", async () => {
    const admin = await signedIn();
    const taken = await outcome(() =>
      createInvitation(admin.me, { email: admin.member.email, role: "viewer" }),
    );
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
  const linkFor = async (id: number) => createResetLink((await signedIn()).me, id);

  it("sets a new password, once, and ends the old sessions", async () => {
    const ben = await signedIn("viewer");
    const first = await linkFor(ben.member.id);
    const hours = (Date.parse(first.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    const { url } = await linkFor(ben.member.id);
    const token = tokenOf(url);
    expect(url).toBe(`http://localhost:3000/reset?token=${token}`);
    expect(await readLink("reset", tokenOf(first.url))).toBeNull();
    expect(await readLink("reset", token)).toEqual({
      email: ben.member.email,
      role: null,
      api_keys: 0,
    });
    const browser = new AuthBrowser();
    const send = () =>
      browser.post("callback/link", { kind: "reset", token, password: "another good one" }, followed);
    expect((await send()).location).toBe("/");
    expect((await browser.get("session")).json?.user).toMatchObject({ id: ben.member.id });
    expect((await profile(ben)).status).toBe(401);
    expect((await send()).location).toContain("error=LinkNotValid");
    expect((await new AuthBrowser().signIn(ben.member.email, "another good one")).location).toBe("/");
  });
});
