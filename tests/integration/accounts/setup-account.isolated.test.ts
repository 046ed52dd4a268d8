import { beforeEach, describe, expect, it, vi } from "vitest";
import { ensureSetup } from "#lib/accounts/ensure-setup.ts";
import { readLink } from "#lib/accounts/links.ts";
import { lockSetup } from "#lib/accounts/member-sql.ts";
import { db } from "#lib/base/db.ts";
import type * as envModule from "#lib/base/env.ts";
import { createFirstAccount } from "#lib/runtime/supervisor/create-first-account.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";

const password = "correct horse battery";
const none = { setup_url: null, created: null };
const settings = vi.hoisted(() => ({
  ADMIN_EMAIL: undefined as string | undefined,
  ADMIN_PASSWORD: undefined as string | undefined,
}));

vi.mock("#lib/base/env.ts", async (original) => {
  const real = await original<typeof envModule>();
  return { ...real, env: () => ({ ...real.env(), ...settings }) };
});

const tokenOf = (url: string | null) => new URL(url ?? "").searchParams.get("token") ?? "";
const send = (token: string, email: string) =>
  new AuthBrowser().post(
    "callback/link",
    { kind: "setup", token, email, name: "Ana", password },
    { "sec-fetch-site": "same-origin" },
  );

beforeEach(async () => {
  settings.ADMIN_EMAIL = settings.ADMIN_PASSWORD = undefined;
  await db.invitation.deleteMany();
  await db.member.deleteMany();
});

describe("the first account", () => {
  it("is created once through the link printed at each start", async () => {
    const { setup_url: first } = await ensureSetup();
    const { setup_url: second } = await ensureSetup();
    expect(first).toMatch(/^http:\/\/localhost:3000\/setup\?token=[\w-]{43}$/);
    expect(second).not.toBe(first);
    expect(await readLink("setup", tokenOf(first))).toMatchObject({ email: null, role: "admin" });
    expect((await send(tokenOf(first), "Ana@Example.org")).location).toBe("/");
    const members = await db.member.findMany();
    expect(members).toHaveLength(1);
    expect(members[0]).toMatchObject({ email: "ana@example.org", name: "Ana", role: "admin" });
    expect(await readLink("setup", tokenOf(second))).toBeNull();
    expect((await send(tokenOf(second), "eve@example.org")).location).toContain("error=LinkNotValid");
    expect(await ensureSetup()).toEqual(none);
  });

  it("is created once by parallel requests", async () => {
    const links = await Promise.all(Array.from({ length: 3 }, () => ensureSetup()));
    const answers = await Promise.all(
      [...links, ...links].map(({ setup_url: url }, i) => send(tokenOf(url), `first${i}@example.org`)),
    );
    expect(answers.filter((answer) => answer.location === "/")).toHaveLength(1);
    expect(await db.member.count()).toBe(1);
  });

  it("is created from ADMIN_EMAIL and ADMIN_PASSWORD by one of several starts", async () => {
    settings.ADMIN_EMAIL = "Root@Example.org";
    settings.ADMIN_PASSWORD = password;
    const starts = await Promise.all([ensureSetup(), ensureSetup(), ensureSetup()]);
    expect(starts.map(({ created }) => created).sort()).toEqual([null, null, "root@example.org"]);
    expect(starts.map(({ setup_url: url }) => url)).toEqual([null, null, null]);
    expect(await db.member.findMany()).toMatchObject([
      { email: "root@example.org", name: "root", role: "admin" },
    ]);
    expect((await new AuthBrowser().signIn("root@example.org", password)).location).toBe("/");
    settings.ADMIN_PASSWORD = "another password";
    await ensureSetup();
    expect((await new AuthBrowser().signIn("root@example.org", password)).location).toBe("/");
  });

  it("is not created beside a concurrent one", async () => {
    settings.ADMIN_EMAIL = "root@example.org";
    settings.ADMIN_PASSWORD = password;
    const waits = () => db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    const start = await db.$transaction(
      async (tx) => {
        await lockSetup(tx);
        const starting = ensureSetup();
        await expect.poll(async () => (await waits()).length, { timeout: 10_000 }).toBe(1);
        await tx.member.create({ data: { email: "ana@example.org", name: "Ana", role: "admin" } });
        return { starting };
      },
      { timeout: 20_000 },
    );
    expect(await start.starting).toEqual(none);
    expect(await db.member.findMany({ select: { email: true } })).toEqual([{ email: "ana@example.org" }]);
  });

  describe("at a start of the service", () => {
    const owner = () => process.env.DATABASE_URL ?? "";
    const first = (given: typeof settings) => createFirstAccount(owner(), { ...process.env }, given);

    it("is created by a process that alone gets the password, and by none when accounts exist", async () => {
      const given = { ADMIN_EMAIL: "root@example.org", ADMIN_PASSWORD: password };
      expect(await first(given)).toEqual({ setup_url: null, created: "root@example.org" });
      expect((await new AuthBrowser().signIn("root@example.org", password)).location).toBe("/");
      expect(await first({ ...given, ADMIN_PASSWORD: "short" })).toEqual(none);
    });

    it("stops the start when its settings are not valid", async () => {
      const given = { ADMIN_EMAIL: "root@example.org", ADMIN_PASSWORD: "short" };
      await expect(first(given)).rejects.toThrow("ADMIN_PASSWORD must have at least 10 characters.");
    });
  });
});
