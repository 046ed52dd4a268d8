import { describe, expect, it } from "vitest";
import { GET as getProfile } from "#app/api/v1/profile/route.ts";
import { GET as getStats } from "#app/api/v1/stats/route.ts";
import { principalOfMember } from "#lib/accounts/authenticate.ts";
import { createInvitation, createResetLink, readLink } from "#lib/accounts/links.ts";
import type { Session } from "#lib/accounts/member-schema.ts";
import { changePassword } from "#lib/accounts/profile.ts";
import { claimsOf, endSession, listSessions } from "#lib/accounts/session.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { prune } from "#lib/runtime/jobs/prune.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { outcome } from "#tests/setup/operations.ts";
import { call } from "#tests/setup/request.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";
import { address, followed, password, person, tokenOf } from "./member-calls.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

async function signedInBrowser(email: string, headers: Record<string, string> = {}, secret = password) {
  const browser = new AuthBrowser(headers);
  expect((await browser.signIn(email, secret)).location).toBe("/");
  return browser;
}

const profile = (cookie: string) => call(getProfile, { path: "/api/v1/profile", headers: { cookie } });
const sessions = async (memberId: number, { cookies }: AuthBrowser) =>
  listSessions(memberId, (await claimsOf(cookies.get("next-auth.session-token")))?.sid ?? null);
const signOut = (browser: AuthBrowser) =>
  browser.post("signout", { callbackUrl: "/sign-in", json: "true" }, followed);

describe("signing out", () => {
  it("ends the session on the server: a copied cookie is dead", async () => {
    const ana = await person();
    const [here, elsewhere] = [await signedInBrowser(ana.email), await signedInBrowser(ana.email)];
    const copied = here.cookie;
    expect((await profile(copied)).status).toBe(200);
    expect((await signOut(here)).status).toBe(200);
    expect((await profile(copied)).status).toBe(401);
    const thief = new AuthBrowser({ cookie: copied });
    expect((await thief.get("session")).json).toEqual({});
    expect((await profile(elsewhere.cookie)).status).toBe(200);
  });
});

describe("the list of sessions", () => {
  it("has browser, network and times of each, and ends one", async () => {
    const ana = await person();
    const laptop = await signedInBrowser(ana.email, {
      "user-agent": FIREFOX,
      "x-forwarded-for": "203.0.113.77",
    });
    const phone = await signedInBrowser(ana.email, {
      "user-agent": IPHONE,
      "x-forwarded-for": "2001:db8:12:34::9",
    });
    const script = await signedInBrowser(ana.email, { "user-agent": "curl/8.5.0" });
    const items = await sessions(ana.id, laptop);
    const seen = items.map(({ browser, address_prefix: prefix, current }) => [browser, prefix, current]);
    expect(seen).toEqual(
      expect.arrayContaining([
        ["Firefox on Linux", "203.0.113.0/24", true],
        ["Safari on iOS", "2001:db8:12::/48", false],
        ["curl", null, false],
      ]),
    );
    expect(items).toHaveLength(3);
    const phones = items.find(({ browser }) => browser === "Safari on iOS") as Session;
    const end = () => outcome(() => endSession(principalOfMember(ana, null), phones.id));
    expect((await end()).status).toBe(200);
    expect((await profile(phone.cookie)).status).toBe(401);
    expect((await profile(script.cookie)).status).toBe(200);
    expect(await sessions(ana.id, laptop)).toHaveLength(2);
    expect((await end()).status).toBe(404);
    const line = await db.audit_event.findFirstOrThrow({ where: { action: "member.session_end" } });
    expect(line).toMatchObject({ member_id: ana.id, subject: `Ana <${ana.email}>` });
  });

  it("shows the last use, which is stored at most once in five minutes", async () => {
    const ana = await person();
    const browser = await signedInBrowser(ana.email, { "user-agent": FIREFOX });
    const row = () => db.session.findFirstOrThrow({ where: { member_id: ana.id } });
    const use = () =>
      call(getProfile, {
        path: "/api/v1/profile",
        headers: { cookie: browser.cookie, "user-agent": IPHONE, "x-forwarded-for": "198.51.100.7" },
      });
    const before = await row();
    await use();
    expect(await row()).toEqual(before);
    await db.$executeRaw`UPDATE session SET last_used_at = now() - interval '6 minutes' WHERE member_id = ${ana.id}`;
    await use();
    await expect
      .poll(async () => await row())
      .toMatchObject({ browser: "Safari on iOS", address_prefix: "198.51.100.0/24" });
    expect(Date.now() - (await row()).last_used_at.getTime()).toBeLessThan(60_000);
    // Within five minutes of that write, this process stores nothing more.
    await db.$executeRaw`UPDATE session SET last_used_at = now() - interval '6 minutes' WHERE member_id = ${ana.id}`;
    await use();
    expect(Date.now() - (await row()).last_used_at.getTime()).toBeGreaterThan(300_000);
  });

  it("keeps a hundred of a member, and none that is unused for a month", async () => {
    const ana = await person();
    await db.session.createMany({
      data: Array.from({ length: 105 }, (_, i) => ({
        member_id: ana.id,
        last_used_at: new Date(Date.now() - (i + 1) * 60_000),
      })),
    });
    const browser = await signedInBrowser(ana.email);
    expect(await db.session.count({ where: { member_id: ana.id } })).toBe(100);
    expect((await sessions(ana.id, browser))[0]).toMatchObject({ current: true });
    await db.$executeRaw`UPDATE session SET last_used_at = now() - interval '32 days' WHERE member_id = ${ana.id}`;
    await prune();
    expect(await db.session.count({ where: { member_id: ana.id } })).toBe(0);
  });
});

describe("a new password", () => {
  const NEW = "seven herons on the weir";
  const change = (member: Awaited<ReturnType<typeof person>>, revoke_keys = false) =>
    changePassword(
      principalOfMember(member, null),
      null,
      { current_password: password, new_password: NEW, revoke_keys },
      new Headers(),
    );
  const keys = (memberId: number) => db.api_key.count({ where: { created_by: memberId, revoked_at: null } });

  it.each([true, false])(
    "ends the other sessions; revokes keys and links on request: %s",
    async (revokeKeys) => {
      const ana = await person("admin");
      const key = await makeKey({ created_by: ana.id });
      const other = await makeKey();
      const [here, elsewhere] = [await signedInBrowser(ana.email), await signedInBrowser(ana.email)];
      const actor = { label: "Ana", member_id: ana.id, key_id: null, source: "screen" } as const;
      const invitation = await createInvitation(actor, { email: address(), role: "viewer" });
      const fresh = await change(ana, revokeKeys);
      expect((await profile(elsewhere.cookie)).status).toBe(401);
      expect((await profile(here.cookie)).status).toBe(401);
      expect(await listSessions(ana.id, fresh)).toMatchObject([{ current: true }]);
      expect(await keys(ana.id)).toBe(revokeKeys ? 0 : 1);
      expect((await call(getStats, { path: "/api/v1/stats", key })).status).toBe(revokeKeys ? 401 : 200);
      expect((await call(getStats, { path: "/api/v1/stats", key: other })).status).toBe(200);
      const open = await readLink("invite", tokenOf(invitation.url));
      expect(open === null).toBe(revokeKeys);
      expect(await db.audit_event.count({ where: { action: "key.revoke", member_id: ana.id } })).toBe(
        revokeKeys ? 1 : 0,
      );
    },
  );

  it("by a reset link ends the sessions, and revokes the keys on request", async () => {
    for (const revoke of ["on", ""]) {
      const ana = await person();
      await makeKey({ created_by: ana.id, role: "viewer" });
      const browser = await signedInBrowser(ana.email);
      const token = tokenOf((await createResetLink(servicePrincipal, ana.id)).url);
      expect(await readLink("reset", token)).toMatchObject({ api_keys: 1 });
      const form = { kind: "reset", token, password: NEW, revoke_keys: revoke };
      expect((await new AuthBrowser().post("callback/link", form, followed)).location).toBe("/");
      expect((await profile(browser.cookie)).status).toBe(401);
      expect(await keys(ana.id)).toBe(revoke === "on" ? 0 : 1);
    }
  });

  it("during a sign-in with the old one refuses that sign-in", async () => {
    const ana = await person();
    const { recordSignIn } = await import("#lib/accounts/sign-in.ts");
    const { memberByEmail } = await import("#lib/accounts/member-sql.ts");
    const read = await memberByEmail(db, ana.email);
    await change(ana);
    await expect(
      recordSignIn(read as NonNullable<typeof read>, { browser: null, address_prefix: null }),
    ).rejects.toMatchObject({ code: "CredentialsSignin" });
  });
});
