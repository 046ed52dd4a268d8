import { createHash, randomBytes } from "node:crypto";
import nextAuthModule from "next-auth";
import { isSameOrigin } from "#lib/auth/authenticate.ts";
import { clientAddress } from "#lib/auth/client-address.ts";
import { memberOfToken, sessionTokenOf } from "#lib/auth/read-session.ts";
import { env } from "#lib/env.ts";
import { ApiError, databaseAway, isDatabaseAway } from "#lib/errors.ts";
import { parseJson, readBody } from "#lib/http/read-body.ts";
import { log } from "#lib/log.ts";
import { authOptions } from "./auth-options.ts";

/*
 * next-auth behind an ordinary Request → Response function. It is called in the shape it knows from API routes:
 * in the shape for route handlers it reads cookies out of Next's own context, which tests and other servers
 * don't have, and its answers could not be set right.
 */

type Query = Record<string, unknown>;
type ApiRequest = {
  method: string;
  query: Query;
  body: Query;
  cookies: Query;
  headers: Record<string, string>;
};
type Handler = (
  request: ApiRequest,
  response: Answer,
  options: ReturnType<typeof authOptions>,
) => Promise<unknown>;

// Under ESM the default export of a CommonJS package may be the module itself.
const nextAuth = ((nextAuthModule as unknown as { default?: unknown }).default ??
  nextAuthModule) as unknown as Handler;

const actions = {
  GET: new Set(["csrf", "providers", "session", "signin", "signout", "callback", "error"]),
  POST: new Set(["signin", "signout", "callback"]),
};

/**
 * Answers a request below /api/auth.
 * @param path what follows /api/auth, e.g. ["callback", "credentials"]
 */
export async function answerAuthRequest(request: Request, path: string[]): Promise<Response> {
  try {
    const [action = "", provider = ""] = path;
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (method !== "GET" && method !== "POST")
      return refusal(new ApiError("method_not_allowed"), { Allow: "GET, HEAD, POST" });
    const byForm = action === "callback" && (provider === "credentials" || provider === "link");
    if (path.length > 2 || !(actions.GET.has(action) || actions.POST.has(action)))
      return refusal(new ApiError("not_found"));
    if (!actions[method].has(action) || (byForm && method === "GET")) {
      const allow = byForm || !actions.GET.has(action) ? "POST" : "GET, HEAD";
      return refusal(new ApiError("method_not_allowed"), { Allow: allow });
    }
    const token = sessionTokenOf(request.headers.get("cookie"));
    // next-auth takes any failure for an ended session and drops the cookie; a database that is away is none.
    if (action === "session") await memberOfToken(token);
    const asked = await readRequest(request, method, path);
    if (method === "POST") vouchForOwnForm(request, asked);
    const answer = new Answer();
    await nextAuth(asked, answer, authOptions(clientAddress(request.headers), token));
    return answer.toResponse((location) => destination(location, asked));
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    if (isDatabaseAway(error)) return refusal(databaseAway(error));
    log.error({ err: error }, "sign-in request failed");
    return refusal(new ApiError("internal"));
  }
}

async function readRequest(request: Request, method: string, path: string[]): Promise<ApiRequest> {
  const text = method === "POST" ? await readBody(request) : "";
  const isJson = request.headers.get("content-type")?.includes("application/json") === true;
  return {
    method,
    query: {
      ...checked(Object.fromEntries(new URL(request.url).searchParams), ["callbackUrl"]),
      nextauth: path,
    },
    body: checked(isJson ? jsonObject(text) : Object.fromEntries(new URLSearchParams(text)), ["callbackUrl"]),
    cookies: checked(cookiesOf(request.headers.get("cookie")), [
      "next-auth.callback-url",
      "__Secure-next-auth.callback-url",
    ]),
    headers: Object.fromEntries(request.headers),
  };
}

/** Strings only, and no address that cannot be read: next-auth takes either for a fault of the server (500). */
function checked(values: Query, addresses: string[]): Query {
  const usable = Object.entries(values).filter(
    ([name, value]) =>
      typeof value === "string" && (!addresses.includes(name) || URL.canParse(value, env().PUBLIC_URL)),
  );
  return Object.fromEntries(usable);
}

function jsonObject(text: string): Query {
  const value = parseJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Query) : {};
}

function cookiesOf(header: string | null): Query {
  const cookies: Query = {};
  for (const part of header?.split(";") ?? []) {
    const at = part.indexOf("=");
    if (at < 0) continue;
    const value = part.slice(at + 1).trim();
    try {
      cookies[part.slice(0, at).trim()] = decodeURIComponent(value);
    } catch {
      // Not ours: what next-auth writes can be decoded.
    }
  }
  return cookies;
}

/**
 * A form on our own pages needs no token: the browser says where it was sent from, which another site cannot
 * fake. So signing in works before any script runs. next-auth is given the pair of token and cookie it checks
 * (core/lib/csrf-token.js: `token|sha256(token + secret)`).
 */
function vouchForOwnForm(request: Request, asked: ApiRequest): void {
  if (asked.body.csrfToken !== undefined || !isSameOrigin(request)) return;
  const token = randomBytes(32).toString("hex");
  const hash = createHash("sha256")
    .update(`${token}${env().AUTH_SECRET ?? ""}`)
    .digest("hex");
  const name = env().PUBLIC_URL.startsWith("https://")
    ? "__Host-next-auth.csrf-token"
    : "next-auth.csrf-token";
  asked.cookies[name] = `${token}|${hash}`;
  asked.body.csrfToken = token;
}

/**
 * Where next-auth sends people. Its own error pages lead on to ours, which is named here at once with what was
 * typed before, so that a refused link can be tried again. Addresses of this origin are given as paths: whoever
 * came by another name of this server stays there.
 */
function destination(location: string, asked: ApiRequest): string {
  const { origin } = new URL(env().PUBLIC_URL);
  const url = new URL(location, origin);
  if (url.origin !== origin) return location;
  const error = url.searchParams.get("error");
  if (error === null || !/^\/(api\/auth\/(error|signin)|sign-in)$/.test(url.pathname)) {
    return url.pathname === "/api/auth/signin"
      ? "/sign-in?error=SessionRequired"
      : url.pathname + url.search + url.hash;
  }
  const page = new URL("/sign-in", origin);
  const { kind, token, callbackUrl } = asked.body;
  if (typeof kind === "string" && typeof token === "string" && /^(setup|invitation|reset)$/.test(kind)) {
    page.pathname = `/${kind}`;
    page.searchParams.set("token", token);
  } else if (typeof callbackUrl === "string") {
    page.searchParams.set("callbackUrl", callbackUrl);
  }
  page.searchParams.set("error", error);
  return page.pathname + page.search;
}

function refusal(error: ApiError, headers: Record<string, string> = {}): Response {
  const all = { ...error.headers, ...headers, "Cache-Control": "no-store" };
  return Response.json({ detail: error.message }, { status: error.status, headers: all });
}

/** The part of an API route's response that next-auth uses. */
class Answer {
  #status = 200;
  #headers = new Map<string, string | string[]>();
  #body: string | null = null;

  status(code: number): this {
    this.#status = code;
    return this;
  }
  setHeader(name: string, value: string | string[]): this {
    this.#headers.set(name.toLowerCase(), value);
    return this;
  }
  getHeader(name: string): string | string[] | undefined {
    return this.#headers.get(name.toLowerCase());
  }
  end(): void {}
  json(value: unknown): void {
    this.setHeader("Content-Type", "application/json");
    this.send(value);
  }
  send(value: unknown): void {
    this.#body = value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value);
  }

  /** @param destination what becomes of an address people are sent to */
  toResponse(destination: (location: string) => string): Response {
    const headers = new Headers();
    for (const [name, values] of this.#headers) {
      for (const value of Array.isArray(values) ? values : [values]) headers.append(name, value);
    }
    headers.set("cache-control", "no-store");
    const location = headers.get("location");
    if (location !== null) headers.set("location", destination(location));
    return new Response(this.#body, { status: this.#status, headers });
  }
}
