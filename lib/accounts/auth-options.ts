import type { NextAuthOptions } from "next-auth";
import credentialsModule from "next-auth/providers/credentials";
import githubModule from "next-auth/providers/github";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { callbackPath } from "./callback-path.ts";
import { clientInfoOf, type ClientInfo } from "./client-info.ts";
import {
  SESSION_AGE_SECONDS,
  claimsOf,
  deleteSession,
  memberOfToken,
  sessionCookieName,
  type SessionClaims,
} from "./session.ts";
import { redeemLink } from "./links.ts";
import { admitProvider, readGithubUser, type ProviderIdentity } from "./provider-sign-in.ts";
import { LinkForm } from "./member-schema.ts";
import { SignInRefused, verifyCredentials, type SignedIn } from "./sign-in.ts";
import type { LinkKind } from "./member-sql.ts";

// Under ESM the default export of a CommonJS package may be the module itself.
const credentials =
  (credentialsModule as unknown as { default?: typeof credentialsModule }).default ?? credentialsModule;
const github = (githubModule as unknown as { default?: typeof githubModule }).default ?? githubModule;

const PROVIDER_TIMEOUT_MS = 10_000;
const kinds: Record<string, LinkKind> = { setup: "setup", invitation: "invite", reset: "reset" };

/** Services that the settings allow for signing in, with the labels of their buttons. */
export function configuredProviders(): { id: "github" | "oidc"; name: string }[] {
  const { GITHUB_ID, OIDC_ISSUER } = env();
  return [
    ...(GITHUB_ID === undefined ? [] : [{ id: "github" as const, name: "GitHub" }]),
    ...(OIDC_ISSUER === undefined ? [] : [{ id: "oidc" as const, name: "Single sign-on" }]),
  ];
}

/** One request to /api/auth, and its result. */
export type AuthVisit = {
  readonly headers: Headers;
  /** Session token of the request. */
  readonly token: string | undefined;
  signedIn: SignedIn | null;
  /** Why a session could not be ended: next-auth only logs it. */
  failure: Error | null;
};

/** Options of next-auth for one request. The callbacks write into `visit`: the new session, or the failure. */
export function authOptions(visit: AuthVisit): NextAuthOptions {
  const { headers, token } = visit;
  const formProvider = (
    id: string,
    name: string,
    signIn: (given: Record<string, unknown>) => Promise<SignedIn>,
  ) => {
    const authorize = async (given: unknown) => {
      visit.signedIn = await withErrorCode(() => signIn(given as Record<string, unknown>));
      return { ...visit.signedIn, id: String(visit.signedIn.id) };
    };
    return credentials({ id, name, credentials: {}, authorize });
  };
  return {
    secret: env().AUTH_SECRET,
    session: { strategy: "jwt", maxAge: SESSION_AGE_SECONDS },
    useSecureCookies: sessionCookieName().startsWith("__Secure-"),
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in", verifyRequest: "/sign-in" },
    logger: {
      // next-auth's messages may contain tokens, so only the code and the reason are logged.
      error: (code, metadata) => log.warn({ code, reason: reasonOf(metadata) }, "sign-in failed"),
      warn: (code) => log.debug({ code }, "sign-in"),
      debug: () => undefined,
    },
    providers: [
      formProvider("credentials", "E-mail and password", ({ email, password }) =>
        verifyCredentials({ email: textOf(email), password: textOf(password) }, headers),
      ),
      formProvider("link", "One-time link", (given) => signInByLink(given, clientInfoOf(headers))),
      ...oauthProviders(),
    ],
    callbacks: {
      signIn: async ({ account, profile, user }) => {
        if (account?.type !== "oauth") return true;
        try {
          visit.signedIn = await admitProvider(
            identityOf(account.provider, account.providerAccountId, profile, user),
            clientInfoOf(headers),
          );
          return true;
        } catch (error) {
          return `/sign-in?error=${codeOf(error)}`;
        }
      },
      jwt: async ({ token: claims }) => {
        if (visit.signedIn !== null) {
          // The former session of this browser, whose cookie is replaced.
          await endSessionOf(token);
          const fresh: SessionClaims = { sub: String(visit.signedIn.id), sid: visit.signedIn.session_id };
          return fresh;
        }
        // A session that has ended is not renewed.
        if ((await memberOfToken(token, headers)) === null) throw new Error("the session has ended");
        return claims;
      },
      session: async ({ session }) => {
        const member = await memberOfToken(token, headers);
        if (member === null) return session;
        const { id, name, email, role } = member;
        return { expires: session.expires, user: { id, name, email, role } };
      },
      redirect: ({ url, baseUrl }) => baseUrl + callbackPath(url, baseUrl),
    },
    events: {
      signOut: async () => {
        await endSessionOf(token).catch((error: unknown) => {
          visit.failure = new Error("session not ended", { cause: error });
        });
      },
    },
  };
}

/** The message of an error thrown by `authorize` becomes part of the next URL, so it must be a code. */
async function withErrorCode<T>(signIn: () => Promise<T>): Promise<T> {
  try {
    return await signIn();
  } catch (error) {
    throw new Error(codeOf(error), { cause: error });
  }
}

function codeOf(error: unknown): string {
  if (error instanceof SignInRefused) return error.code;
  log.error({ err: error }, "sign-in failed");
  return "Unavailable";
}

async function signInByLink(given: Record<string, unknown>, client: ClientInfo): Promise<SignedIn> {
  const kind = kinds[textOf(given.kind)];
  if (kind === undefined) throw new SignInRefused("LinkNotValid");
  const form = LinkForm.safeParse(given);
  if (!form.success) throw new SignInRefused("InvalidInput");
  return redeemLink(kind, textOf(given.token), form.data, client);
}

async function endSessionOf(token: string | undefined): Promise<void> {
  const claims = await claimsOf(token);
  if (claims !== null) await deleteSession(db, claims.sid, Number(claims.sub));
}

function oauthProviders(): NextAuthOptions["providers"] {
  const settings = env();
  const providers: NextAuthOptions["providers"] = [];
  if (settings.GITHUB_ID !== undefined && settings.GITHUB_SECRET !== undefined) {
    const base = github({ clientId: settings.GITHUB_ID, clientSecret: settings.GITHUB_SECRET });
    providers.push({
      ...base,
      checks: ["pkce", "state"],
      httpOptions: { timeout: PROVIDER_TIMEOUT_MS },
      userinfo: {
        url: "https://api.github.com/user",
        request: ({ tokens }) => readGithubUser(tokens.access_token ?? ""),
      },
    });
  }
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = settings;
  if (OIDC_ISSUER !== undefined && OIDC_CLIENT_ID !== undefined && OIDC_CLIENT_SECRET !== undefined) {
    providers.push({
      id: "oidc",
      name: "Single sign-on",
      type: "oauth",
      wellKnown: `${OIDC_ISSUER.replace(/\/$/, "")}/.well-known/openid-configuration`,
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      authorization: { params: { scope: "openid email profile" } },
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      httpOptions: { timeout: PROVIDER_TIMEOUT_MS },
      profile: (claims: Record<string, unknown>) => ({
        id: textOf(claims.sub),
        name: textOf(claims.name) || null,
        email: textOf(claims.email) || null,
      }),
    });
  }
  return providers;
}

function identityOf(
  provider: string,
  accountId: string,
  profile: unknown,
  user: { name?: string | null; email?: string | null },
): ProviderIdentity {
  if (provider !== "github" && provider !== "oidc") throw new SignInRefused("NotInvited");
  const { email_verified: verified } = (profile ?? {}) as { email_verified?: unknown };
  return {
    provider,
    account_id: accountId,
    email: user.email ?? null,
    // Some providers send the claim as a string.
    email_verified: verified === true || verified === "true",
    name: user.name ?? null,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function reasonOf(metadata: unknown): string {
  const error = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | undefined)?.error;
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : "";
}
