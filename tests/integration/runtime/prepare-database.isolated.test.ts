import { beforeEach, describe, expect, test, vi } from "vitest";
import { readLink } from "#lib/accounts/links.ts";
import { db } from "#lib/base/db.ts";
import type * as envModule from "#lib/base/env.ts";
import { env } from "#lib/base/env.ts";
import { prepareDatabase } from "#lib/runtime/install/prepare-database.ts";

/* `npm run build -- --migrate`, which is all that runs before the first request on Vercel. */

const settings = vi.hoisted(() => ({
  ADMIN_EMAIL: undefined as string | undefined,
  ADMIN_PASSWORD: undefined as string | undefined,
  ENCRYPTION_KEY: "a".repeat(32),
  VERCEL: undefined as string | undefined,
  VERCEL_ENV: undefined as string | undefined,
}));

vi.mock("#lib/base/env.ts", async (original) => {
  const real = await original<typeof envModule>();
  return { ...real, env: () => ({ ...real.env(), ...settings }) };
});

async function said(): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await prepareDatabase(env());
  vi.restoreAllMocks();
  return lines.join("\n");
}

async function checksum(): Promise<string | undefined> {
  const rows = await db.$queryRaw<{ checksum: string }[]>`
    SELECT checksum FROM schema_migration WHERE name = 'functions'`;
  return rows[0]?.checksum;
}

beforeEach(async () => {
  settings.ADMIN_EMAIL = settings.ADMIN_PASSWORD = settings.VERCEL = settings.VERCEL_ENV = undefined;
  await db.invitation.deleteMany();
  await db.member.deleteMany();
});

describe("the build's migration step", () => {
  test("prints a setup link that works, until there is an account", async () => {
    const [, token = ""] = /one-time link: \S+\/setup\?token=([\w-]+)/.exec(await said()) ?? [];
    expect(await readLink("setup", token)).toMatchObject({ role: "admin" });
    await db.member.create({ data: { email: "ana@example.org", name: "Ana", role: "admin" } });
    expect(await said()).not.toContain("setup");
  });

  test("creates the administrator of ADMIN_EMAIL", async () => {
    settings.ADMIN_EMAIL = "boss@example.org";
    settings.ADMIN_PASSWORD = "correct horse battery";
    expect(await said()).not.toContain("setup");
    expect(await db.member.findMany({ select: { email: true, role: true } })).toEqual([
      { email: "boss@example.org", role: "admin" },
    ]);
  });

  test.each(["preview", "development", undefined])(
    "leaves the database alone on Vercel when VERCEL_ENV is %s",
    async (name) => {
      Object.assign(settings, { VERCEL: "1", VERCEL_ENV: name });
      await db.$executeRaw`UPDATE schema_migration SET checksum = 'older' WHERE name = 'functions'`;
      expect(await said()).toBe(
        `The database was not migrated, because VERCEL_ENV is ${name ?? "not set"}: only production deployments do that.`,
      );
      expect(await checksum()).toBe("older");
      expect(await db.invitation.count()).toBe(0);
    },
  );

  test("migrates on Vercel when VERCEL_ENV is production", async () => {
    Object.assign(settings, { VERCEL: "1", VERCEL_ENV: "production" });
    await db.$executeRaw`UPDATE schema_migration SET checksum = 'older' WHERE name = 'functions'`;
    expect(await said()).toContain("one-time link");
    expect(await checksum()).not.toBe("older");
  });
});
