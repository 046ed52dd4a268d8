import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { localAddress, parseEnv, SettingsError, variableNames } from "./env.ts";

const example = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
const listed = [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => ({
  name,
  value,
}));

function problems(source: Record<string, string>): string[] {
  try {
    parseEnv(source);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

describe(".env.example", () => {
  test("lists the same variables as the settings, in the same order", () => {
    expect(listed.map((entry) => entry.name)).toEqual(variableNames);
  });

  test("shows the defaults of the code", () => {
    const shown = Object.fromEntries(listed.map(({ name, value }) => [name, value]));
    expect(parseEnv(shown)).toEqual(parseEnv({}));
  });

  test("describes each variable", () => {
    const lines = example.split("\n");
    for (const [index, line] of lines.entries()) {
      if (/^#[A-Z_]+=/.test(line)) expect(lines[index - 1]).toMatch(/^# .*\.$/);
    }
  });
});

describe("parseEnv", () => {
  test("treats an empty value as unset", () => {
    expect(parseEnv({ PORT: "", TIME_ZONE: "  " })).toMatchObject({ PORT: 3000, TIME_ZONE: "UTC" });
  });

  test("derives PUBLIC_URL from HOST and PORT", () => {
    expect(parseEnv({ PORT: "8080" }).PUBLIC_URL).toBe("http://127.0.0.1:8080");
    expect(parseEnv({ HOST: "[::1]" })).toMatchObject({ HOST: "::1", PUBLIC_URL: "http://[::1]:3000" });
    expect(parseEnv({ PUBLIC_URL: "https://desk.example/" }).PUBLIC_URL).toBe("https://desk.example");
    expect(parseEnv({ PUBLIC_URL: "HTTPS://Desk.example:443" }).PUBLIC_URL).toBe("https://desk.example");
  });

  test("has a smaller pool of database connections on Vercel", () => {
    const vercel = {
      VERCEL: "1",
      PUBLIC_URL: "https://desk.example",
      DATABASE_URL: "postgresql://user:password@host/sluice",
      AUTH_SECRET: "x".repeat(32),
      ENCRYPTION_KEY: "x".repeat(32),
      CRON_SECRET: "x".repeat(32),
    };
    expect(parseEnv({}).DATABASE_POOL_SIZE).toBe(10);
    expect(parseEnv(vercel).DATABASE_POOL_SIZE).toBe(3);
    expect(parseEnv({ ...vercel, DATABASE_POOL_SIZE: "7" }).DATABASE_POOL_SIZE).toBe(7);
  });

  test("names the TLS mode that pg uses for sslmode=require", () => {
    const read = (DATABASE_URL: string) => parseEnv({ DATABASE_URL }).DATABASE_URL;
    expect(read("postgresql://u@host/db?sslmode=require&a=b")).toBe(
      "postgresql://u@host/db?sslmode=verify-full&a=b",
    );
    for (const kept of ["sslmode=disable", "sslmode=no-verify", "uselibpqcompat=true&sslmode=require"]) {
      expect(read(`postgresql://u@host/db?${kept}`)).toBe(`postgresql://u@host/db?${kept}`);
    }
  });

  test("reports all problems at once, with the invalid values", () => {
    expect(problems({ PORT: "many", TIME_ZONE: "Mars/Base" })).toEqual([
      'PORT must be a whole number from 0 to 65535, not "many".',
      'TIME_ZONE must be a time zone such as Europe/Berlin, not "Mars/Base".',
    ]);
  });

  test("names the missing settings of an incomplete group", () => {
    const site = { PUBLIC_URL: "https://desk.example" };
    expect(problems({ ...site, GITHUB_ID: "x" })).toEqual([
      "GITHUB_ID, GITHUB_SECRET belong together, and GITHUB_SECRET is not set.",
    ]);
    expect(problems({ ...site, OIDC_ISSUER: "https://id.example" })).toEqual([
      "OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET belong together, and OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are not set.",
    ]);
  });

  test.each([
    ["AUTH_SECRET", "hunter2"],
    ["ADMIN_PASSWORD", "hunter2"],
    ["DATABASE_URL", "mysql://root:hunter2@host/db"],
    ["SMTP_URL", "https://root:hunter2@host"],
    ["AI_BASE_URL", "https://user:hunter2@api.example/v1"],
  ])("does not reveal the value of %s", (name, value) => {
    const found = problems({ [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).not.toContain("hunter2");
  });

  test.each([
    [{ RESERVE_TIMEOUT_SECONDS: "0" }, /RESERVE_TIMEOUT_SECONDS/],
    [{ MAX_POSTS_PER_FETCH: "401" }, /from 1 to 400/],
    [{ PORT: "1e3" }, /PORT/],
    [{ SOURCE_URL: "code.example" }, /SOURCE_URL must be an address that begins with https/],
    [{ PUBLIC_URL: "desk.example" }, /PUBLIC_URL must be an address/],
    [{ PUBLIC_URL: "https://desk.example/sluice" }, /PUBLIC_URL must be an address without a path/],
    [{ PUBLIC_URL: "https://desk.example/?a=b" }, /PUBLIC_URL must be an address without a path/],
    [{ PUBLIC_URL: "https://user:pw@desk.example" }, /PUBLIC_URL must be an address/],
    // JavaScript and PostgreSQL read the sign of an offset in opposite ways.
    [{ TIME_ZONE: "+05:30" }, /TIME_ZONE must be a time zone such as Europe\/Berlin/],
    [{ TIME_ZONE: "-08" }, /TIME_ZONE/],
    [{ TRUSTED_PROXIES: "127.0.0.1, proxy" }, /TRUSTED_PROXIES/],
    [{ CORS_ORIGINS: "https://a.example/path" }, /CORS_ORIGINS/],
    [{ DEFAULT_INSTANCE: "-" }, /DEFAULT_INSTANCE must be a host name such as mastodon.social/],
    [{ DEFAULT_INSTANCE: "https://cats.example" }, /DEFAULT_INSTANCE/],
    [{ DEFAULT_INSTANCE: "cats.example:99999" }, /DEFAULT_INSTANCE/],
    [{ DEFAULT_INSTANCE: "cats..example" }, /DEFAULT_INSTANCE/],
    [{ ADMIN_EMAIL: "a@b.example" }, /ADMIN_PASSWORD is not set/],
    [{ GITHUB_ID: "x", GITHUB_SECRET: "y" }, /PUBLIC_URL must be set/],
    [{ OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "x", OIDC_CLIENT_SECRET: "y" }, /PUBLIC_URL must/],
    [{ AUTH_SECRET: "x".repeat(31) }, /AUTH_SECRET must have at least 32 characters/],
    [{ ENCRYPTION_KEY: "x".repeat(31) }, /ENCRYPTION_KEY must have at least 32 characters/],
    [{ CRON_SECRET: "x".repeat(15) }, /CRON_SECRET must have at least 16 characters/],
    [{ PROCESSES: "none" }, /PROCESSES must be all, web or worker/],
    [{ PROCESSES: "web" }, /DATABASE_URL must be set for PROCESSES=web/],
    [{ VERCEL: "1" }, /PUBLIC_URL must be set on Vercel/],
    [{ VERCEL: "1" }, /DATABASE_URL must be set on Vercel/],
    [{ VERCEL: "1" }, /AUTH_SECRET must be set on Vercel/],
    [{ VERCEL: "1" }, /ENCRYPTION_KEY must be set on Vercel/],
    [{ VERCEL: "1" }, /CRON_SECRET must be set on Vercel/],
    [{ LOG_LEVEL: "loud" }, /LOG_LEVEL must be one of/],
    [{ AI_BASE_URL: "http://localhost:11434/v1" }, /AI_BASE_URL, AI_MODEL belong together/],
    [{ AI_BASE_URL: "api.example/v1", AI_MODEL: "m" }, /AI_BASE_URL must be a web address/],
    [{ AI_API_KEY: "two words" }, /AI_API_KEY must be one line/],
    [{ AI_DAILY_LIMIT: "0" }, /AI_DAILY_LIMIT/],
  ])("rejects %j", (source, sentence) => {
    expect(problems(source).join("\n")).toMatch(sentence);
  });

  test("needs the addresses of mail together", () => {
    const mail = { SMTP_URL: "smtp://mail.example", PUBLIC_URL: "https://desk.example" };
    expect(problems({ ...mail, SMTP_FROM: "Sluice <sluice@desk.example>" })).toEqual([]);
    expect(problems({ ...mail, SMTP_FROM: "Sluice\nBcc: a@b.example" })).toHaveLength(1);
    expect(problems({ SMTP_URL: mail.SMTP_URL })).toEqual([
      "SMTP_URL, SMTP_FROM belong together, and SMTP_FROM is not set.",
      "PUBLIC_URL must be set for e-mail: its links lead there.",
    ]);
  });

  test("accepts the documented examples", () => {
    expect(
      problems({
        TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8,::1",
        CORS_ORIGINS: "https://a.example,http://localhost:5173",
        SOURCE_URL: "https://code.example/sluice",
        CONTACT_URL: "mailto:admin@desk.example",
        DATABASE_URL: "postgresql://user:password@db.example/sluice",
        PROCESSES: "worker",
      }),
    ).toEqual([]);
  });
});

test("localAddress returns a URL that a browser can open", () => {
  expect(localAddress("0.0.0.0", 80)).toBe("http://localhost:80");
  expect(localAddress("::1", 80)).toBe("http://[::1]:80");
});
