import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readGithubUser } from "#lib/accounts/provider-sign-in.ts";
import { db } from "#lib/base/db.ts";
import type * as envModule from "#lib/base/env.ts";
import { makeMember, unique } from "#tests/setup/factories.ts";
import { AuthBrowser, OpenIdProvider } from "#tests/setup/sign-in.ts";

const settings = vi.hoisted(() => ({
  OIDC_ISSUER: "",
  OIDC_CLIENT_ID: "sluice",
  OIDC_CLIENT_SECRET: "secret",
}));

vi.mock("#lib/base/env.ts", async (original) => {
  const real = await original<typeof envModule>();
  return { ...real, env: () => ({ ...real.env(), ...settings }) };
});

const provider = new OpenIdProvider();
beforeAll(async () => {
  await provider.start();
  settings.OIDC_ISSUER = provider.issuer;
});
afterAll(() => provider.stop());

async function signIn(browser = new AuthBrowser()) {
  const { json } = await browser.get("csrf");
  const out = await browser.post("signin/oidc", {
    csrfToken: String(json?.csrfToken),
    callbackUrl: "/queue",
    json: "true",
  });
  const back = new URL(provider.authorise(String(out.json?.url)));
  const answer = await browser.get(`callback/oidc${back.search}`);
  const session = await browser.get("session");
  const user = session.json?.user as { id: number; role: string; name: string } | undefined;
  return { location: answer.location, user: user ?? null, browser };
}

function claim(email: string, more: Partial<typeof provider.claims> = {}) {
  provider.claims = { sub: `sub-${unique()}`, email, email_verified: true, name: "Dana", ...more };
}

it("creates a member from an invitation with its role and recognises them later", async () => {
  const email = `dana${unique()}@example.org`;
  await db.invitation.create({
    data: {
      kind: "invite",
      email,
      role: "reviewer",
      token_hash: Buffer.from(email),
      expires_at: new Date(Date.now() + 60_000),
    },
  });
  claim(email.toUpperCase());
  const first = await signIn();
  expect(first.location).toBe("/queue");
  expect(first.user).toMatchObject({ role: "reviewer", name: "Dana" });
  expect(await db.member.findFirstOrThrow({ where: { email } })).toMatchObject({
    password_hash: null,
    linked_accounts: { oidc: provider.claims.sub },
  });
  expect(await db.invitation.count({ where: { email, used_at: null } })).toBe(0);
  // The link is by subject, not by e-mail address.
  provider.claims = { ...provider.claims, email: "new@example.org", email_verified: false };
  expect((await signIn()).user?.id).toBe(first.user?.id);
});

it.each([[false], ["false"], [undefined]])(
  "believes no address whose email_verified is %j",
  async (verified) => {
    const member = await makeMember("admin");
    claim(member.email, { email_verified: verified });
    expect((await signIn()).location).toBe("/sign-in?error=EmailNotVerified");
  },
);

it("does not link a password account without its permission", async () => {
  const member = await makeMember("admin", { password_hash: "a hash" });
  claim(member.email);
  const answer = await signIn();
  expect([answer.location, answer.user]).toEqual(["/sign-in?error=NotAllowedYet", null]);
  await db.member.update({
    where: { id: member.id },
    data: { linked_accounts: { oidc: null, github: "7" } },
  });
  expect((await signIn()).user?.id).toBe(member.id);
  const after = await db.member.findUniqueOrThrow({ where: { id: member.id } });
  expect(after.linked_accounts).toEqual({ oidc: provider.claims.sub, github: "7" });
  expect(await db.audit_event.count({ where: { action: "member.link", member_id: member.id } })).toBe(1);
});

it("refuses a disabled member, by e-mail and by linked account", async () => {
  const member = await makeMember("admin", { disabled_at: new Date() });
  claim(member.email);
  expect((await signIn()).location).toBe("/sign-in?error=Disabled");
  expect((await db.member.findUniqueOrThrow({ where: { id: member.id } })).linked_accounts).toEqual({});
  await db.member.update({
    where: { id: member.id },
    data: { linked_accounts: { oidc: provider.claims.sub } },
  });
  expect((await signIn()).location).toBe("/sign-in?error=Disabled");
});

it("refuses a callback started in another browser", async () => {
  const member = await makeMember("admin");
  claim(member.email);
  const victim = new AuthBrowser();
  const { json } = await new AuthBrowser().get("csrf");
  expect(json?.csrfToken).toBeTypeOf("string");
  const back = new URL(
    provider.authorise(
      `${provider.issuer}/authorize?redirect_uri=http://localhost:3000/api/auth/callback/oidc&state=x`,
    ),
  );
  const answer = await victim.get(`callback/oidc${back.search}`);
  expect(answer.location).toMatch(/^\/sign-in\?error=(OAuthCallback|Callback)$/);
  expect((await victim.get("session")).json).toEqual({});
});

it("is offered by name when configured", async () => {
  const { configuredProviders } = await import("#lib/accounts/auth-options.ts");
  expect(configuredProviders()).toEqual([{ id: "oidc", name: "Single sign-on" }]);
  expect(Object.keys((await new AuthBrowser().get("providers")).json ?? {})).toEqual([
    "credentials",
    "link",
    "oidc",
  ]);
});

it("reads from GitHub the primary address and whether it is verified", async () => {
  const answers: Record<string, unknown> = {
    "/user": { id: 7, login: "dana", name: null, email: "public@example.org" },
    "/user/emails": [
      { email: "other@example.org", primary: false, verified: true },
      { email: "dana@example.org", primary: true, verified: false },
    ],
  };
  vi.stubGlobal("fetch", (url: string) => Promise.resolve(Response.json(answers[new URL(url).pathname])));
  expect(await readGithubUser("token")).toMatchObject({
    id: 7,
    email: "dana@example.org",
    email_verified: false,
  });
  answers["/user/emails"] = [];
  expect(await readGithubUser("token")).toMatchObject({ email: undefined, email_verified: false });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("no", { status: 401 })));
  await expect(readGithubUser("token")).rejects.toThrow("GitHub answered 401 to /user");
});
