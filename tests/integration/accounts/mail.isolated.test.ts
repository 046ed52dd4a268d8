import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { principalOfMember } from "#lib/accounts/authenticate.ts";
import { createResetLink, readLink, revokeLink } from "#lib/accounts/links.ts";
import { queueAlertMail } from "#lib/accounts/mail.ts";
import { changePassword } from "#lib/accounts/profile.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { jobs } from "#lib/runtime/jobs/jobs.ts";
import { watchAlerts } from "#lib/stats/alerts.ts";
import { makeMember, makeStream } from "#tests/setup/factories.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";
import {
  address,
  changeMember,
  followed,
  invited,
  password,
  person,
  signedIn,
  tokenOf,
  useLink,
} from "./member-calls.ts";

const server = await vi.hoisted(async () => {
  const started = await (await import("#tests/setup/mail-server.ts")).startMailServer();
  process.env.SMTP_URL = started.url;
  process.env.SMTP_FROM = "Sluice <sluice@example.org>";
  process.env.PUBLIC_URL ??= "http://localhost:3000";
  return started;
});
afterAll(() => server.close());

vi.mock("#lib/base/clock.ts", { spy: true });
// The disk of the test machine is no alert.
vi.mock("#lib/base/disk-space.ts", async (original) => ({
  ...(await original<object>()),
  diskSpace: () => null,
}));

const NEW_PASSWORD = "seven herons on the weir";
const job = jobs.find(({ name }) => name === "send mail");

/** Runs the job, with all mail due. */
async function send(): Promise<void> {
  await db.$executeRaw`UPDATE mail SET next_attempt_at = now() WHERE next_attempt_at < 'infinity'`;
  await job?.run({ deadline: new Date(Date.now() + 20_000) });
}

beforeEach(async () => {
  await db.mail.deleteMany();
  await db.sign_in_attempt.deleteMany();
  server.mails.length = 0;
  server.state.mode = "ok";
});

const forget = (email: string, headers: Record<string, string> = followed) =>
  new AuthBrowser().post("forgot", { email }, headers);
const linksIn = (mail: { text: string } | undefined) => mail?.text.match(/http:\S+\?token=\S+/g) ?? [];
const mailedToken = (at = 0) => tokenOf(linksIn(server.mails[at])[0] ?? "");
const use = (kind: "invitation" | "reset", token: string) => useLink({ kind, token, password: NEW_PASSWORD });

describe("a forgotten password", () => {
  test("gets a link that works once, for an hour, and ends all sessions", async () => {
    const ana = await person();
    const browser = new AuthBrowser();
    await browser.signIn(ana.email, password);
    expect((await forget(ana.email.toUpperCase())).location).toBe("/forgot?sent=1");
    await send();
    expect(server.mails.map(({ to }) => to)).toEqual([[ana.email]]);
    const link = await db.invitation.findFirstOrThrow({ where: { member_id: ana.id } });
    expect(link.expires_at.getTime() - link.created_at.getTime()).toBe(3_600_000);
    expect(server.mails[0]?.text).not.toContain(Buffer.from(link.token_hash).toString("base64url"));
    expect(await use("reset", mailedToken())).toBe("/");
    expect((await browser.get("session")).json?.user).toBeUndefined();
    expect(await use("reset", mailedToken())).toContain("LinkNotValid");
    expect(await db.audit_event.findMany({ where: { action: "member.reset_link" } })).toHaveLength(1);
  });

  test("has the same answer and row for an unknown and a disabled account, which get no mail", async () => {
    const ana = await person();
    await db.member.update({ where: { id: ana.id }, data: { disabled_at: new Date() } });
    const answers = await Promise.all([forget(ana.email), forget(address()), forget("no address")]);
    expect(answers.map(({ status, location }) => [status, location])).toEqual([
      [303, "/forgot?sent=1"],
      [303, "/forgot?sent=1"],
      [303, "/forgot?error=InvalidAddress"],
    ]);
    expect(await db.mail.count()).toBe(2);
    await send();
    expect([server.mails, await db.invitation.count({ where: { member_id: ana.id } })]).toEqual([[], 0]);
  });

  test("gets one mail in five minutes, and a link that an admin made stays", async () => {
    const ana = await person();
    const { url } = await createResetLink(servicePrincipal, ana.id);
    await forget(ana.email);
    await send();
    await forget(ana.email);
    await send();
    expect(server.mails).toHaveLength(1);
    await db.$executeRaw`UPDATE mail SET expires_at = now()`;
    await send();
    await forget(ana.email);
    await send();
    expect(server.mails).toHaveLength(2);
    const tokens = [tokenOf(url), mailedToken(0), mailedToken(1)];
    const open = await Promise.all(tokens.map((token) => readLink("reset", token)));
    expect(open.map((link) => link !== null)).toEqual([true, false, true]);
  });

  test.each<[string, (id: number) => Promise<unknown>]>([
    [
      "the password is changed",
      async (id) => {
        const body = { current_password: password, new_password: NEW_PASSWORD };
        const me = principalOfMember({ id, role: "reviewer", name: "Ana" }, null);
        return changePassword(me, null, body, new Headers());
      },
    ],
    [
      "the account is disabled, also when it is enabled again",
      async (id) => {
        const admin = await signedIn();
        for (const disabled of [true, false]) await changeMember(admin, id, { disabled });
      },
    ],
    ["the address is changed", (id) => db.member.update({ where: { id }, data: { email: address() } })],
  ])("has no link any more when %s", async (_name, change) => {
    const ana = await person();
    await forget(ana.email);
    await send();
    expect(await readLink("reset", mailedToken())).not.toBeNull();
    await change(ana.id);
    expect(await readLink("reset", mailedToken())).toBeNull();
    expect(await use("reset", mailedToken())).toContain("LinkNotValid");
  });
});

describe("an invitation", () => {
  test("is mailed with a link of its own; the first used link ends both", async () => {
    const chief = await signedIn();
    const { token, email, ...answer } = await invited(chief);
    expect(answer).toMatchObject({ mailed: true });
    await send();
    expect(server.mails[0]).toMatchObject({ to: [email] });
    expect(mailedToken()).not.toBe(token);
    expect(await use("invitation", mailedToken())).toBe("/");
    expect(await use("invitation", token)).toContain("LinkNotValid");
  });

  test("that is revoked before or after the mail opens nothing", async () => {
    const chief = await signedIn();
    const end = (id: number) => revokeLink(chief.me, id);
    await end((await invited(chief)).id);
    await send();
    expect(server.mails).toEqual([]);
    const { id } = await invited(chief);
    await send();
    await end(id);
    expect(await readLink("invite", mailedToken())).toBeNull();
  });
});

describe("alerts", () => {
  async function startAlert() {
    await db.installation.updateMany({
      data: { alerts_from: new Date(0), alerts_checked_at: new Date() },
    });
    await makeStream({ last_fetch: new Date(0), last_error: "timeout" });
    await watchAlerts(queueAlertMail);
  }

  test("go to all active admins who want them, those of a minute in one mail", async () => {
    await db.member.updateMany({ data: { disabled_at: new Date() } });
    const ben = await makeMember();
    await makeMember("reviewer");
    await makeMember("admin", { disabled_at: new Date() });
    await makeMember("admin", { preferences: { alert_mail: false } });
    const former = await makeMember();
    await startAlert();
    await startAlert();
    await db.member.update({ where: { id: former.id }, data: { role: "viewer" } });
    await send();
    expect(server.mails.map(({ to }) => to)).toEqual([[ben.email]]);
    expect(server.mails[0]?.text).toMatch(/Subject: Sluice: 2 alerts/);
    expect(await db.mail.count()).toBe(0);
  });
});

describe("a mail server", () => {
  test("that is busy gets the mail later, with a new link", async () => {
    await forget((await person()).email);
    server.state.mode = "busy";
    await send();
    const [row] = await db.$queryRaw<{ wait: number }[]>`
      SELECT extract(epoch FROM next_attempt_at - now())::int AS wait FROM mail`;
    expect(row?.wait).toBeGreaterThan(20);
    server.state.mode = "ok";
    await send();
    expect(await readLink("reset", mailedToken())).not.toBeNull();
  });

  test("that refuses the recipient gets it no more", async () => {
    await invited(await signedIn());
    server.state.mode = "refused";
    await send();
    expect(await db.mail.count()).toBe(0);
  });
});
