import { beforeEach, describe, expect, it, vi } from "vitest";
import { createMember } from "#lib/accounts/accounts.ts";
import { principalOfMember } from "#lib/accounts/authenticate.ts";
import { createResetLink } from "#lib/accounts/links.ts";
import { MemberCreate } from "#lib/accounts/member-schema.ts";
import { changePassword } from "#lib/accounts/profile.ts";
import { parse } from "#lib/accounts/route.ts";
import { accountHash } from "#lib/accounts/sign-in-throttle.ts";
import { sleep } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { log } from "#lib/base/log.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";
import { outcome } from "#tests/setup/operations.ts";
import { address, followed, invited, password, person, signedIn, tokenOf } from "./member-calls.ts";

vi.mock("#lib/base/clock.ts", { spy: true });

const WRONG = "wrong wrong wrong";

beforeEach(async () => {
  vi.mocked(sleep).mockClear();
  await db.sign_in_attempt.deleteMany();
  await db.audit_event.deleteMany({ where: { action: "member.sign_in_failed" } });
});

function failures(subject: string, count: number) {
  return db.sign_in_attempt.upsert({
    where: { subject },
    create: { subject, failures: count },
    update: { failures: count },
  });
}

const errorOf = (location: string | null) => new URL(location ?? "", "http://x").searchParams.get("error");

/** @returns `delays`: milliseconds of each wait that began while `work` ran */
async function delaysOf<T>(work: () => Promise<T>): Promise<{ result: T; delays: number[] }> {
  vi.mocked(sleep).mockClear();
  const result = await work();
  return { result, delays: vi.mocked(sleep).mock.calls.map(([ms]) => ms) };
}

describe("strangers who guess", () => {
  it("neither delay nor refuse a browser that signed in before", async () => {
    const from = { "x-forwarded-for": "198.51.100.20" };
    const ana = await person();
    const known = new AuthBrowser(from);
    await known.signIn(ana.email, password);
    expect([...known.cookies.keys()]).toContain("sluice.known-browser");
    known.cookies.delete("next-auth.session-token");
    await failures(`account:${accountHash(ana.email)}`, 5000);
    await failures("address:198.51.100.20", 5000);
    const strangers = Array.from({ length: 12 }, () => new AuthBrowser(from).signIn(ana.email, WRONG));
    await expect
      .poll(async () => {
        const row = await db.sign_in_attempt.findUnique({
          where: { subject: `account:${accountHash(ana.email)}` },
        });
        return row?.failures;
      })
      .toBe(5012);
    const waiting = () => vi.mocked(sleep).mock.calls.filter(([ms]) => ms === 8000).length;
    await expect.poll(waiting).toBe(8);
    const { result, delays } = await delaysOf(() => known.signIn(ana.email, password));
    expect(result.location).toBe("/");
    expect(delays).toEqual([]);
    const codes = (await Promise.all(strangers)).map(({ location }) => errorOf(location));
    expect(codes.filter((code) => code === "TooManyAttempts")).toHaveLength(4);
    expect(codes.filter((code) => code === "CredentialsSignin")).toHaveLength(8);
    // The owner's success does not start the strangers' count anew.
    const row = await db.sign_in_attempt.findUnique({
      where: { subject: `account:${accountHash(ana.email)}` },
    });
    expect(row?.failures).toBe(5012);
  });
});

describe("the cookie of a known browser", () => {
  it("opens nothing, is slowed like others, and after ten failures counts as a stranger's", async () => {
    const ana = await person();
    const known = new AuthBrowser();
    await known.signIn(ana.email, password);
    known.cookies.delete("next-auth.session-token");
    expect((await known.get("session")).json).toEqual({});
    expect((await known.signIn(ana.email, WRONG)).location).toContain("error=CredentialsSignin");
    const [row] = await db.sign_in_attempt.findMany({ where: { subject: { startsWith: "browser:" } } });
    expect(row?.failures).toBe(1);
    expect(await db.sign_in_attempt.count({ where: { subject: { startsWith: "account:" } } })).toBe(0);
    await failures(row?.subject ?? "", 4);
    const { delays } = await delaysOf(() => known.signIn(ana.email, WRONG));
    expect(delays).toEqual([500]);
    await failures(row?.subject ?? "", 10);
    await known.signIn(ana.email, WRONG);
    expect(await db.sign_in_attempt.count({ where: { subject: { startsWith: "account:" } } })).toBe(1);
  });

  it("counts for its own account only, and a forged one counts for none", async () => {
    const [ana, ben] = [await person(), await person()];
    const known = new AuthBrowser();
    await known.signIn(ana.email, password);
    await known.signIn(ben.email, WRONG);
    const subject = `account:${accountHash(ben.email)}`;
    expect(await db.sign_in_attempt.findUnique({ where: { subject } })).toMatchObject({ failures: 1 });
    const forged = new AuthBrowser();
    const session = known.cookies.get("next-auth.session-token") ?? "";
    for (const value of ["", "x", "a.b.c", session]) {
      forged.cookies.set("sluice.known-browser", value);
      await forged.signIn(ben.email, WRONG);
    }
    expect(await db.sign_in_attempt.findUnique({ where: { subject } })).toMatchObject({ failures: 5 });
  });
});

describe("a failed sign-in", () => {
  const lines = () =>
    db.audit_event.findMany({ where: { action: "member.sign_in_failed" }, orderBy: { id: "asc" } });

  it("is in the log and the audit log without anything that was typed", async () => {
    const warn = vi.spyOn(log, "warn");
    const ana = await person();
    const browser = new AuthBrowser({ "user-agent": "curl/8.5.0", "x-forwarded-for": "203.0.113.77" });
    await browser.signIn(ana.email.toUpperCase(), "my secret typed here");
    await browser.signIn("typed.by.mistake@example.org", "my secret typed here");
    const [known, unknown] = await lines();
    const place = { browser: "curl", address_prefix: "203.0.113.0/24" };
    expect(known).toMatchObject({
      actor: "Sluice",
      source: "service",
      subject: `Ana <${ana.email}>`,
      after: { failures: 1, way: "password", ...place },
    });
    expect(unknown).toMatchObject({ subject: "An unknown account", after: { failures: 1, ...place } });
    const logged = warn.mock.calls.filter(([, text]) => String(text) === "sign-in failed");
    expect(logged.map(([values]) => values)).toEqual([
      expect.objectContaining({ member_id: ana.id, way: "password", ...place }),
      expect.objectContaining({ member_id: null, way: "password", ...place }),
    ]);
    expect(
      JSON.stringify([await lines(), warn.mock.calls], (_key, value: unknown) =>
        typeof value === "bigint" ? String(value) : value,
      ),
    ).not.toMatch(/my secret|typed\.by\.mistake/i);
  });

  it("adds few lines to the audit log, however often it happens", async () => {
    const ana = await person();
    for (let i = 0; i < 4; i++) await new AuthBrowser().signIn(ana.email, WRONG);
    for (let i = 0; i < 4; i++) await new AuthBrowser().signIn(`nobody${i}@example.org`, WRONG);
    expect(await lines()).toHaveLength(2);
    await failures(`failed:member:${ana.id}`, 98);
    await db.sign_in_attempt.deleteMany({ where: { subject: { startsWith: "account:" } } });
    for (let i = 0; i < 3; i++) await new AuthBrowser().signIn(ana.email, WRONG);
    expect((await lines()).map(({ after }) => (after as { failures: number }).failures)).toEqual([1, 1, 100]);
  });
});

describe("a password that is easy to guess", () => {
  it.each([
    [422, "passwordpassword"],
    [422, "1234567890"],
    [422, "P@ssw0rd123!"],
    [422, "sluicesluice"],
    [422, "ben.okri@guess.example"],
    [200, "a new sentence"],
    [200, "Kx9$mQ2vLp7z"],
    [200, "東京タワーから海を見る"],
  ])("is answered %i: %s", async (status, secret) => {
    const email = secret.includes("@guess") ? secret : address();
    const body = { email, name: "Ben Okri", role: "viewer", password: secret };
    const answer = await outcome(async () =>
      createMember(servicePrincipal, parse(MemberCreate, body, "body")),
    );
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.json.detail).toContain("password: is too easy to guess");
  });

  it("or the present one is refused at a change and by links, which stay open", async () => {
    const ana = await person();
    const me = principalOfMember(ana, null);
    const change = (new_password: string) =>
      outcome(() => changePassword(me, null, { current_password: password, new_password }, new Headers()));
    expect((await change("qwertyuiop12")).json.detail).toContain("new_password: is too easy to guess");
    expect((await change(password)).json.detail).toContain("new_password: must differ from the present one");
    const reset = { kind: "reset", token: tokenOf((await createResetLink(servicePrincipal, ana.id)).url) };
    const invitation = { kind: "invitation", token: (await invited(await signedIn())).token, name: "Cleo" };
    const send = async (form: Record<string, string>, secret: string) =>
      (await new AuthBrowser().post("callback/link", { ...form, password: secret }, followed)).location;
    expect(errorOf(await send(reset, "qwertyuiop12"))).toBe("WeakPassword");
    expect(errorOf(await send(reset, password))).toBe("SamePassword");
    expect(errorOf(await send(invitation, "cleocleocleo"))).toBe("WeakPassword");
    expect(await send(reset, "seven herons on the weir")).toBe("/");
    expect(await send(invitation, "seven herons on the weir")).toBe("/");
  });
});
