import { beforeAll, describe, expect, it, vi } from "vitest";
import { DELETE, GET as authGet, PUT } from "#app/api/auth/[...nextauth]/route.ts";
import { GET as getProfile } from "#app/api/v1/profile/route.ts";
import { sleep } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { withoutDatabase } from "#tests/integration/database/without-database.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";
import { password, person } from "./member-calls.ts";

vi.mock("#lib/base/clock.ts", { spy: true });

/** Milliseconds that each wait took while `work` ran. */
async function delaysOf(work: () => Promise<unknown>): Promise<number[]> {
  vi.mocked(sleep).mockClear().mockResolvedValue();
  await work();
  return vi.mocked(sleep).mock.calls.map(([ms]) => ms);
}

async function whoAmI(browser: AuthBrowser) {
  const { json } = await browser.get("session");
  return (json?.user as { id: number; role: string } | undefined)?.id ?? null;
}

describe("signing in", () => {
  it("signs a script in through csrf and callback, and the session works in the API", async () => {
    const ana = await person("reviewer");
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

  it.each<[boolean, Record<string, string>]>([
    [true, { origin: "http://localhost:3000" }],
    [true, { origin: "http://192.168.1.5:3000", host: "192.168.1.5:3000" }],
    [false, {}],
    [false, { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    [false, { origin: "null" }],
    [false, { origin: "http://localhost:3000.evil.example" }],
  ])("without a token signs in (%s) with a form that came with %j", async (isTaken, headers) => {
    const ana = await person("reviewer");
    const browser = new AuthBrowser();
    const answer = await browser.post("callback/credentials", { email: ana.email, password }, headers);
    expect([answer.status, await whoAmI(browser)]).toEqual([302, isTaken ? ana.id : null]);
  });

  it.each([
    ["wrong password", { password: "not the one it is" }],
    ["no password", { password: "" }],
    ["unknown address", { email: "nobody@example.org" }],
    ["NUL in the address", { email: "a\0@example.org" }],
    ["a very long password", { password: "x".repeat(100_000) }],
  ])("refuses %s with the same answer", async (_name, wrong) => {
    const ana = await person("reviewer");
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
    const [disabled, passwordless] = [await person("reviewer"), await person("reviewer")];
    await db.member.update({ where: { id: disabled.id }, data: { disabled_at: new Date() } });
    await db.member.update({ where: { id: passwordless.id }, data: { password_hash: null } });
    for (const { email } of [disabled, passwordless]) {
      expect((await new AuthBrowser().signIn(email, password)).location).toContain("error=CredentialsSignin");
    }
  });
});

describe("slowing guesses down", () => {
  beforeAll(async () => {
    await db.sign_in_attempt.deleteMany();
  });

  it("delays the fifth attempt on an account from any address and still accepts the right password", async () => {
    const ana = await person("reviewer");
    const guess = (from: string) =>
      delaysOf(() => new AuthBrowser({ "x-forwarded-for": from }).signIn(ana.email, "wrong wrong wrong"));
    const delays: number[][] = [];
    for (let i = 0; i < 5; i++) delays.push(await guess(`203.0.113.${i}`));
    expect(delays).toEqual([[], [], [], [], [500]]);
    expect((await new AuthBrowser().signIn(ana.email, password)).location).toBe("/");
    expect(await guess("203.0.113.9")).toEqual([]);
  });

  it("counts attempts on several accounts per address; a success resets only its own", async () => {
    const ana = await person("reviewer");
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
    await db.sign_in_attempt.create({ data: { subject: "address:198.51.100.7", failures: 11 } });
    const { promise: delay, resolve: endDelay } = Promise.withResolvers<void>();
    vi.mocked(sleep).mockReturnValue(delay);
    const codes: (string | null)[] = [];
    const attempts = Array.from({ length: 10 }, async (_, i) => {
      const answer = await new AuthBrowser(from).signIn(`many${i}@example.org`, "wrong wrong wrong");
      codes.push(new URL(answer.location ?? "", "http://x").searchParams.get("error"));
    });
    await vi.waitFor(() => expect(codes).toEqual(["TooManyAttempts", "TooManyAttempts"]));
    endDelay();
    await Promise.all(attempts);
    expect(codes.slice(2)).toEqual(Array(8).fill("CredentialsSignin"));
  });
});

describe("a session", () => {
  it.each(["%E0%A4%A", "abc.def", "", "another secret", "before sessions were listed"])(
    "is none with the cookie of %s",
    async (value) => {
      const { id } = await person("reviewer");
      const { encode } = await import("next-auth/jwt");
      const token = { sub: String(id), session_version: 1 };
      const secret = value === "another secret" ? "x".repeat(32) : (process.env.AUTH_SECRET ?? "");
      const cookie = `next-auth.session-token=${value.includes(" ") ? await encode({ token, secret }) : value}`;
      const answer = await call(getProfile, { path: "/api/v1/profile", headers: { cookie } });
      expect([answer.status, answer.json.detail]).toEqual([401, "Missing X-API-Key header"]);
    },
  );

  it.each<[number, Record<string, string>]>([
    [403, {}],
    [403, { "sec-fetch-site": "same-site" }],
    [403, { origin: "https://evil.example" }],
    [201, { "sec-fetch-site": "same-origin" }],
    [201, { origin: "http://localhost:3000" }],
  ])("answers %i to a change with %j", async (status, headers) => {
    const { cookie = "" } = await sessionHeaders(await person("reviewer"));
    const { POST } = await import("#app/api/v1/api-keys/generate/route.ts");
    const answer = await call(POST, {
      ...{ method: "POST", path: "/api/v1/api-keys/generate", body: { scopes: ["read"] } },
      headers: { cookie, ...headers },
    });
    expect(answer.status).toBe(status);
  });
});

/** Calls next-auth's route as no browser does. */
async function send(path: string, method = "GET", body?: string, type = "application/json") {
  const request = new Request(`http://localhost:3000/api/auth/${path}`, {
    ...{ method, ...(body === undefined ? {} : { body }) },
    headers: { "content-type": type, "sec-fetch-site": "same-origin" },
  });
  const handlers = { GET: authGet, POST: authGet, PUT, DELETE };
  const params = Promise.resolve({ nextauth: path.split("?")[0]?.split("/") ?? [] });
  return handlers[method as "GET"](request, { params });
}

describe("malformed requests", () => {
  it.each([
    ["nothing", "GET", 404, null],
    ["_log", "GET", 404, null],
    ["csrf/a/b", "GET", 404, null],
    ["callback/credentials", "GET", 405, "POST"],
    ["csrf", "POST", 405, "GET, HEAD"],
    ["csrf", "PUT", 405, "GET, HEAD, POST"],
    ["csrf", "DELETE", 405, "GET, HEAD, POST"],
  ])("%s with %s is answered %i in JSON", async (path, method, status, allow) => {
    const answer = await send(path, method);
    expect([answer.status, answer.headers.get("allow")]).toEqual([status, allow]);
    expect(await answer.json()).toHaveProperty("code");
  });

  it.each([
    ["large", "x".repeat(300_000), "application/x-www-form-urlencoded", 413],
    ["no JSON", "{", "application/json", 400],
    ["no object", "[1]", "application/json", 302],
  ])("a body that is %s is refused", async (_name, body, type, status) => {
    expect((await send("signout", "POST", body, type)).status).toBe(status);
  });

  it("with unusable fields are refused without an error", async () => {
    for (const strange of ["http://[", "javascript:alert(1)", "a:b", "%F0%9F%98%BA", "data:,", "https:x y"]) {
      const cookie = `next-auth.callback-url=${strange}; __Host-next-auth.csrf-token=x|y`;
      expect([strange, (await new AuthBrowser({ cookie }).get("csrf")).status]).toEqual([strange, 200]);
      const query = `csrf?callbackUrl=${encodeURIComponent(strange)}`;
      expect([strange, (await new AuthBrowser().get(query)).status]).toEqual([strange, 200]);
    }
    expect((await new AuthBrowser().get("signin?callbackUrl=http://[")).location).toMatch(/^\/sign-in/);
    for (const body of [{ callbackUrl: 5, email: [], password: {} }, { email: null }, {}]) {
      const answer = await send("callback/credentials", "POST", JSON.stringify(body));
      expect(answer.headers.get("location")).toContain("error=CredentialsSignin");
    }
  });

  it("keeps the session and answers 503 while the database is away", async () => {
    const ana = await person("reviewer");
    const browser = new AuthBrowser();
    await browser.signIn(ana.email, password);
    await withoutDatabase(async () => {
      expect((await browser.get("session")).status).toBe(503);
      const refused = await new AuthBrowser().signIn(ana.email, password);
      expect(refused.location).toBe("/sign-in?error=Unavailable");
    });
    expect(await whoAmI(browser)).toBe(ana.id);
  });
});
