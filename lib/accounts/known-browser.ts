import { randomUUID } from "node:crypto";
import { decode, encode } from "next-auth/jwt";
import { env } from "#lib/base/env.ts";
import { cookieOf, sessionCookieName } from "./session.ts";

/*
 * A cookie of browsers that have signed in before, as in OWASP's "Slow Down Online Guessing Attacks with Device
 * Cookies" (docs/decisions/0016-sign-in-throttling.md). It opens nothing: attempts with it are counted apart, so that
 * strangers cannot delay or refuse the owner of an account.
 */

const AGE_SECONDS = 365 * 24 * 60 * 60;
/** Separates its key from that of session tokens. */
const SALT = "known browser";
const PATH = "/api/auth";

function cookieName(): string {
  return sessionCookieName().startsWith("__Secure-")
    ? "__Secure-sluice.known-browser"
    : "sluice.known-browser";
}

/**
 * `Set-Cookie` after a sign-in. Each one is new, so that a stolen one loses its worth.
 *
 * @param account see accountHash
 */
export async function knownBrowserCookie(account: string): Promise<string> {
  const secret = env().AUTH_SECRET;
  if (secret === undefined) throw new Error("AUTH_SECRET is not set");
  const token = await encode({
    token: { account, browser: randomUUID() },
    secret,
    maxAge: AGE_SECONDS,
    salt: SALT,
  });
  const secure = cookieName().startsWith("__Secure-") ? "; Secure" : "";
  return `${cookieName()}=${token}; Max-Age=${AGE_SECONDS}; Path=${PATH}; HttpOnly; SameSite=Strict${secure}`;
}

/** Id of the browser when it has signed in to this account before. */
export async function knownBrowserOf(cookieHeader: string | null, account: string): Promise<string | null> {
  const secret = env().AUTH_SECRET;
  const token = cookieOf(cookieHeader, cookieName());
  if (!token || !secret) return null;
  const claims = await decode({ token, secret, salt: SALT }).catch(() => null);
  return claims?.account === account && typeof claims.browser === "string" ? claims.browser : null;
}
