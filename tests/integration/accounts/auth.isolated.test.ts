import { PrismaPg } from "@prisma/adapter-pg";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { GET as getProfile } from "#app/api/v1/profile/route.ts";
import { DELETE, GET as authGet, PUT } from "#app/api/auth/[...nextauth]/route.ts";
import { waitAfter } from "#lib/auth/sign-in-throttle.ts";
import { sleep } from "#lib/clock.ts";
import { createMember, signOutEverywhere } from "#lib/members/accounts.ts";
import { servicePrincipal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { PrismaClient } from "#prisma/generated/client.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";
import { unique } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";

vi.mock("#lib/clock.ts", { spy: true });

const password = "correct horse battery";

/** Milliseconds that each wait took while `work` ran. */
async function delaysOf(work: () => Promise<unknown>): Promise<number[]> {
  vi.mocked(sleep).mockClear();
  await work();
  return vi.mocked(sleep).mock.calls.map(([ms]) => ms);
}

async function member(role: "admin" | "reviewer" | "viewer" = "reviewer") {
  const email = `ana${unique()}@example.org`;
  return createMember(servicePrincipal, { email, name: "Ana", role, password });
}

async function whoAmI(browser: AuthBrowser) {
  const { json } = await browser.get("session");
  return (json?.user as { id: number; role: string } | undefined)?.id ?? null;
}

describe("signing in", () => {
  it("signs a script in through csrf and callback, and the session works in the API", async () => {
    const ana = await member();
    const script = new AuthBrowser();
    const { json } = await script.get("csrf");
    const answer = await script.post("callback/credentials", {
      csrfToken: String(json?.csrfToken),
      email: ana.email.toUpperCase(),
      password,
      json: "true",
      callbackUrl: "/queue",
    });
    expect([answer.status, answer.json?.url]).toEqual([200, "http://localhost:3000/queue"]);
    expect(await whoAmI(script)).toBe(ana.id);
    const profile = await call(getProfile, { path: "/api/v1/profile", headers: { cookie: script.cookie } });
    expect([profile.status, profile.json.email]).toEqual([200, ana.email]);
    expect((await db.member.findUniqueOrThrow({ where: { id: ana.id } })).last_sign_in_at).not.toBeNull();
  });

  it("accepts a plain form without a token when the browser's headers prove the origin", async () => {
    const ana = await member();
    const browser = new AuthBrowser();
    const answer = await browser.signIn(ana.email, password, { callbackUrl: "/review?order=newest" });
    expect([answer.status, answer.location]).toEqual([302, "/review?order=newest"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await whoAmI(browser)).toBe(ana.id);
  });

  it.each<Record<string, string>>([
    { origin: "http://localhost:3000" },
    { origin: "http://192.168.1.5:3000", host: "192.168.1.5:3000" },
  ])("takes %j for the same origin", async (headers) => {
    const ana = await member();
    const browser = new AuthBrowser();
    await browser.post("callback/credentials", { email: ana.email, password }, headers);
    expect(await whoAmI(browser)).toBe(ana.id);
  });

  it.each<Record<string, string>>([
    {},
    { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    { origin: "null" },
    { origin: "http://localhost:3000.evil.example" },
  ])("turns away a form that came with %j and no token", async (headers) => {
    const ana = await member();
    const browser = new AuthBrowser();
    const answer = await browser.post("callback/credentials", { email: ana.email, password }, headers);
    expect(answer.status).toBe(302);
    expect(await whoAmI(browser)).toBeNull();
  });

  it.each([
    ["wrong password", { password: "not the one it is" }],
    ["no password", { password: "" }],
    ["unknown address", { email: "nobody@example.org" }],
    ["NUL in the address", { email: "a\0@example.org" }],
    ["no address", { email: "" }],
    ["a very long password", { password: "x".repeat(100_000) }],
  ])("refuses %s with the same answer", async (_name, wrong) => {
    const ana = await member();
    const browser = new AuthBrowser();
    const given = { email: ana.email, password, ...wrong };
    const answer = await browser.signIn(given.email, given.password, { callbackUrl: "/queue" });
    expect([answer.status, answer.location]).toEqual([
      302,
      "/sign-in?callbackUrl=%2Fqueue&error=CredentialsSignin",
    ]);
    const script = await browser.signIn(given.email, given.password, { json: "true" });
    expect(script.status).toBe(401);
    expect(await whoAmI(browser)).toBeNull();
  });

  it("refuses a disabled member and one without a password", async () => {
    const [disabled, passwordless] = [await member(), await member()];
    await db.member.update({ where: { id: disabled.id }, data: { disabled_at: new Date() } });
    await db.member.update({ where: { id: passwordless.id }, data: { password_hash: null } });
    for (const { email } of [disabled, passwordless]) {
      expect((await new AuthBrowser().signIn(email, password)).location).toContain("error=CredentialsSignin");
    }
  });

  it("never leads to another site afterwards", async () => {
    const ana = await member();
    const given = { callbackUrl: "https://evil.example/" };
    expect((await new AuthBrowser().signIn(ana.email, password, given)).location).toBe("/");
  });

  it("treats composed and decomposed letters as equal in passwords", async () => {
    const email = `e${unique()}@example.org`;
    await createMember(servicePrincipal, { email, name: "E", role: "viewer", password: "caf\u00e9 au lait" });
    expect((await new AuthBrowser().signIn(email, "cafe\u0301 au lait")).location).toBe("/");
  });
});

describe("slowing guesses down", () => {
  beforeAll(async () => {
    await db.sign_in_attempt.deleteMany();
  });

  it("delays more after each failure, up to a limit", () => {
    expect([-5, 0, 1, 2, 3, 4, 5, 6, 1e6].map(waitAfter)).toEqual([
      0, 0, 500, 1000, 2000, 4000, 8000, 8000, 8000,
    ]);
  });

  it("delays the fifth attempt on an account from any address and still accepts the right password", async () => {
    const ana = await member();
    const guess = (from: string) =>
      delaysOf(() => new AuthBrowser({ "x-forwarded-for": from }).signIn(ana.email, "wrong wrong wrong"));
    const delays: number[][] = [];
    for (let i = 0; i < 5; i++) delays.push(await guess(`203.0.113.${i}`));
    expect(delays).toEqual([[], [], [], [], [500]]);
    expect((await new AuthBrowser().signIn(ana.email, password)).location).toBe("/");
    expect(await guess("203.0.113.9")).toEqual([]);
  });

  it("counts attempts on several accounts per address; a success resets only its own", async () => {
    const ana = await member();
    const from = { "x-forwarded-for": "2001:db8:1:2:aaaa::1" };
    for (let i = 0; i < 11; i++)
      await new AuthBrowser(from).signIn(`guess${i}@example.org`, "wrong wrong wrong");
    const neighbour = new AuthBrowser({ "x-forwarded-for": "2001:db8:1:2:bbbb::2" });
    expect(await delaysOf(() => neighbour.signIn(ana.email, "wrong wrong wrong"))).toEqual([500]);
    await new AuthBrowser(from).signIn(ana.email, password);
    const row = await db.sign_in_attempt.findUniqueOrThrow({
      where: { subject: "address:2001:db8:1:2::/64" },
    });
    expect(row.failures).toBe(12);
  });

  it("refuses more than eight delayed attempts of one address", async () => {
    const from = { "x-forwarded-for": "198.51.100.7" };
    await db.sign_in_attempt.create({ data: { subject: "address:198.51.100.7", failures: 10 } });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        new AuthBrowser(from).signIn(`many${i}@example.org`, "wrong wrong wrong"),
      ),
    );
    const codes = answers.map((answer) =>
      new URL(answer.location ?? "", "http://x").searchParams.get("error"),
    );
    expect(codes.filter((code) => code === "TooManyAttempts").length).toBeGreaterThanOrEqual(1);
    expect(codes.filter((code) => code === "CredentialsSignin").length).toBeGreaterThanOrEqual(8);
  });

  it("forgets failures after a quarter of an hour", async () => {
    const ana = await member();
    for (let i = 0; i < 3; i++) await new AuthBrowser().signIn(ana.email, "wrong wrong wrong");
    await db.$executeRaw`UPDATE sign_in_attempt SET last_failure = now() - interval '16 minutes'`;
    for (let i = 0; i < 3; i++)
      expect(await delaysOf(() => new AuthBrowser().signIn(ana.email, "wrong wrong wrong"))).toEqual([]);
  });
});

describe("a session", () => {
  it("ends when the member is disabled or signs out everywhere", async () => {
    for (const end of ["disable", "sign out"] as const) {
      const ana = await member();
      const browser = new AuthBrowser();
      await browser.signIn(ana.email, password);
      const ask = () => call(getProfile, { path: "/api/v1/profile", headers: { cookie: browser.cookie } });
      expect((await ask()).status).toBe(200);
      if (end === "disable")
        await db.member.update({ where: { id: ana.id }, data: { disabled_at: new Date() } });
      else await signOutEverywhere(servicePrincipal, ana.id);
      expect((await ask()).status).toBe(401);
      expect(await whoAmI(browser)).toBeNull();
      expect([...browser.cookies.keys()]).not.toContain("next-auth.session-token");
    }
  });

  it("is signed out by next-auth's own form", async () => {
    const ana = await member();
    const browser = new AuthBrowser();
    await browser.signIn(ana.email, password);
    const { json } = await browser.get("csrf");
    const answer = await browser.post("signout", {
      csrfToken: String(json?.csrfToken),
      json: "true",
      callbackUrl: "/sign-in",
    });
    expect(answer.status).toBe(200);
    expect(await whoAmI(browser)).toBeNull();
  });

  it.each([
    "next-auth.session-token=%E0%A4%A",
    "next-auth.session-token=abc.def",
    "next-auth.session-token=",
    "%%%=1",
  ])("is none with the cookie %s", async (cookie) => {
    const answer = await call(getProfile, { path: "/api/v1/profile", headers: { cookie } });
    expect([answer.status, answer.json.detail]).toEqual([401, "Missing X-API-Key header"]);
  });

  it("is invalid when signed with another secret", async () => {
    const ana = await member();
    const { encode } = await import("next-auth/jwt");
    const forged = await encode({
      token: { sub: String(ana.id), session_version: 1 },
      secret: "another secret of 32 characters!",
    });
    const headers = { cookie: `next-auth.session-token=${forged}` };
    expect((await call(getProfile, { path: "/api/v1/profile", headers })).status).toBe(401);
  });

  it("refuses writes from another site", async () => {
    const ana = await member();
    const { cookie = "" } = await sessionHeaders(ana);
    const { PATCH } = await import("#app/api/v1/profile/route.ts");
    const write = (headers: Record<string, string>) =>
      call(PATCH, {
        method: "PATCH",
        path: "/api/v1/profile",
        body: { theme: "dark" },
        headers: { cookie, ...headers },
      });
    expect((await write({})).status).toBe(403);
    expect((await write({ "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await write({ origin: "https://evil.example" })).status).toBe(403);
    expect((await write({ "sec-fetch-site": "same-origin" })).status).toBe(200);
    expect((await write({ origin: "http://localhost:3000" })).status).toBe(200);
  });
});

describe("malformed requests", () => {
  const ask = async (path: string, method = "GET", handler = authGet) => {
    const request = new Request(`http://localhost:3000/api/auth/${path}`, { method });
    const answer = await handler(request, { params: Promise.resolve({ nextauth: path.split("/") }) });
    return {
      status: answer.status,
      allow: answer.headers.get("allow"),
      body: (await answer.json()) as unknown,
    };
  };

  it("get a JSON answer", async () => {
    expect(await ask("nothing")).toMatchObject({
      status: 404,
      allow: null,
      body: { detail: "Not found", code: "not_found" },
    });
    expect((await ask("_log")).status).toBe(404);
    expect(await ask("callback/credentials")).toMatchObject({ status: 405, allow: "POST" });
    expect(await ask("csrf", "POST")).toMatchObject({ status: 405, allow: "GET, HEAD" });
    expect(await ask("csrf", "PUT", PUT)).toMatchObject({ status: 405 });
    expect(await ask("csrf", "DELETE", DELETE)).toMatchObject({ status: 405 });
    expect((await ask("csrf/a/b")).status).toBe(404);
  });

  it("with a body that is too large or not JSON are refused", async () => {
    const send = async (body: string, type: string) => {
      const request = new Request("http://localhost:3000/api/auth/signout", {
        method: "POST",
        body,
        headers: { "content-type": type },
      });
      return (await authGet(request, { params: Promise.resolve({ nextauth: ["signout"] }) })).status;
    };
    expect(await send("x".repeat(300_000), "application/x-www-form-urlencoded")).toBe(413);
    expect(await send("{", "application/json")).toBe(400);
    expect(await send("[1]", "application/json")).toBe(302);
  });

  it("with unusable fields are refused without an error", async () => {
    const browser = new AuthBrowser({
      cookie: "next-auth.callback-url=http://[; __Host-next-auth.csrf-token=x|y",
    });
    expect((await browser.get("csrf")).status).toBe(200);
    for (const strange of ["javascript:alert(1)", "review", "a:b", "%F0%9F%98%BA", "data:,", "https:x y"]) {
      const cookie = `next-auth.callback-url=${strange}`;
      expect([strange, (await new AuthBrowser({ cookie }).get("csrf")).status]).toEqual([strange, 200]);
      const query = `csrf?callbackUrl=${encodeURIComponent(strange)}`;
      expect([strange, (await new AuthBrowser().get(query)).status]).toEqual([strange, 200]);
    }
    expect((await new AuthBrowser().get("signin?callbackUrl=http://[")).location).toMatch(/^\/sign-in/);
    for (const body of [{ callbackUrl: 5, email: [], password: {} }, { email: null }, {}]) {
      const request = new Request("http://localhost:3000/api/auth/callback/credentials", {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      });
      const answer = await authGet(request, {
        params: Promise.resolve({ nextauth: ["callback", "credentials"] }),
      });
      expect(answer.status).toBe(302);
      expect(answer.headers.get("location")).toContain("error=CredentialsSignin");
    }
  });

  it("keeps the session and answers 503 while the database is away", async () => {
    const ana = await member();
    const browser = new AuthBrowser();
    await browser.signIn(ana.email, password);
    const holder = globalThis as { sluiceDb?: PrismaClient };
    const here = holder.sluiceDb;
    const nowhere = new PrismaClient({
      adapter: new PrismaPg({ connectionString: "postgresql://nobody@127.0.0.1:1/nothing" }),
    });
    holder.sluiceDb = nowhere;
    try {
      expect((await browser.get("session")).status).toBe(503);
      const refused = await new AuthBrowser().signIn(ana.email, password);
      expect(refused.location).toBe("/sign-in?error=Unavailable");
    } finally {
      holder.sluiceDb = here;
      await nowhere.$disconnect();
    }
    expect(await whoAmI(browser)).toBe(ana.id);
  });

  it("lists only configured providers", async () => {
    const { json } = await new AuthBrowser().get("providers");
    expect(Object.keys(json ?? {})).toEqual(["credentials", "link"]);
  });
});
