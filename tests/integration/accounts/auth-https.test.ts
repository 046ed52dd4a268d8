import { expect, it, vi } from "vitest";
import { createMember } from "#lib/accounts/accounts.ts";
import { sessionCookie } from "#lib/accounts/session.ts";
import { pageLinks } from "#lib/base/http/page-link.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { AuthBrowser } from "#tests/setup/sign-in.ts";

// Settings are read once, so they are set before any import.
vi.hoisted(() => {
  process.env.PUBLIC_URL = "https://sluice.example";
});

it("uses secure cookies over https", async () => {
  const password = "correct horse battery";
  const { id } = await createMember(servicePrincipal, {
    email: "ana@example.org",
    name: "Ana",
    role: "viewer",
    password,
  });
  const browser = new AuthBrowser();
  const answer = await browser.signIn("ana@example.org", password, {
    callbackUrl: "https://sluice.example/queue",
  });
  expect([answer.status, answer.location]).toEqual([302, "/queue"]);
  const cookie = answer.headers
    .getSetCookie()
    .find((line) => line.startsWith("__Secure-next-auth.session-token="));
  expect(cookie).toMatch(/; Secure/);
  expect(cookie).toMatch(/; HttpOnly/);
  expect(cookie).toMatch(/; SameSite=Lax/i);
  expect((await browser.get("session")).json?.user).toMatchObject({ id });
  const fresh = await sessionCookie(id, crypto.randomUUID());
  expect(fresh).toMatchObject({ httpOnly: true, sameSite: "lax", secure: true });
  expect(fresh.name).toMatch(/^__Secure-/);
  const known = answer.headers.getSetCookie().find((line) => line.includes("sluice.known-browser="));
  expect(known).toMatch(/^__Secure-.*; Path=\/api\/auth; HttpOnly; SameSite=Strict; Secure$/);
});

it("builds links with https and ignores an invalid host header", () => {
  const linkFor = (host: string) =>
    pageLinks(new Request("http://10.0.0.7:3000/api/v1/posts?q=a", { headers: { host } }), {
      skip: 0,
      limit: 10,
      total: 11,
    });
  const next = '/api/v1/posts?q=a&skip=10&limit=10>; rel="next"';
  expect(linkFor("sluice.example")).toEqual({ Link: `<https://sluice.example${next}` });
  expect(linkFor("sluice.internal:3000")).toEqual({ Link: `<http://sluice.internal:3000${next}` });
  expect(linkFor('x">; rel="evil"')).toEqual({ Link: `<http://10.0.0.7:3000${next}` });
});

it("accepts a script with a CSRF token, and not the plain-http origin of the same host", async () => {
  const script = new AuthBrowser();
  const { json } = await script.get("csrf");
  expect([...script.cookies.keys()]).toContain("__Host-next-auth.csrf-token");
  const form = { email: "ana@example.org", password: "correct horse battery" };
  const answer = await script.post("callback/credentials", {
    ...form,
    csrfToken: String(json?.csrfToken),
    json: "true",
  });
  expect(answer.json?.url).toBe("https://sluice.example/");
  const plain = new AuthBrowser();
  await plain.post("callback/credentials", form, { origin: "http://sluice.example", host: "sluice.example" });
  expect((await plain.get("session")).json).toEqual({});
});
