import { createHash, randomBytes } from "node:crypto";
import nextAuthModule from "next-auth";
import { NextRequest } from "next/server.js";
import { env } from "#lib/base/env.ts";
import { ApiError, databaseAway, isDatabaseAway } from "#lib/base/errors.ts";
import { parseJson, readBody } from "#lib/base/http/read-body.ts";
import { log } from "#lib/base/log.ts";
import { isSameOrigin } from "./authenticate.ts";
import { authOptions, type AuthVisit } from "./auth-options.ts";
import { isMailSetUp, queueResetMail } from "./mail.ts";
import { Email } from "./member-schema.ts";
import { knownBrowserCookie, memberOfToken, sessionTokenOf } from "./session.ts";
import { accountHash, clientAddress, slowDown } from "./sign-in-throttle.ts";

/*
 * next-auth as a Request → Response function (docs/decisions/0024-sign-in-wrapper.md). Called as an API route: as a
 * route handler it would read cookies from Next's request context, which tests lack.
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
  response: ApiResponse,
  options: ReturnType<typeof authOptions>,
) => Promise<unknown>;

// Under ESM the default export of a CommonJS package may be the module itself.
const nextAuth = ((nextAuthModule as unknown as { default?: unknown }).default ??
  nextAuthModule) as unknown as Handler;

const actions = {
  GET: new Set(["csrf", "providers", "session", "signin", "signout", "callback", "error"]),
  POST: new Set(["signin", "signout", "callback", "forgot"]),
};

/**
 * Answers a request to /api/auth.
 *
 * @param path the segments below /api/auth
 */
export async function answerAuthRequest(request: Request, path: string[]): Promise<Response> {
  try {
    const [action = "", provider = ""] = path;
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (method !== "GET" && method !== "POST")
      return refusal(new ApiError("method_not_allowed"), { Allow: "GET, HEAD, POST" });
    const isFormSignIn = action === "callback" && (provider === "credentials" || provider === "link");
    if (path.length > 2 || !(actions.GET.has(action) || actions.POST.has(action)))
      return refusal(new ApiError("not_found"));
    if (!actions[method].has(action) || (isFormSignIn && method === "GET")) {
      const allow = isFormSignIn || !actions.GET.has(action) ? "POST" : "GET, HEAD";
      return refusal(new ApiError("method_not_allowed"), { Allow: allow });
    }
    const token = sessionTokenOf(request.headers.get("cookie"));
    // Throws while the database is away: next-auth would take the session for ended and delete its cookie.
    if (action === "session") await memberOfToken(token, request.headers);
    const input = await readRequest(request, method, path);
    if (action === "forgot") return await answerForgotten(request, input);
    if (method === "POST") addCsrfToken(request, input);
    const answer = new ApiResponse();
    const visit: AuthVisit = { headers: request.headers, token, signedIn: null, failure: null };
    await nextAuth(input, answer, authOptions(visit));
    // The session could not be ended, so its cookie must stay.
    if (visit.failure !== null) throw visit.failure;
    const headers = new Headers({ "cache-control": "no-store" });
    for (const [name, values] of answer.headers)
      for (const value of [values].flat())
        headers.append(name, name === "location" ? destination(value, input) : value);
    if (visit.signedIn !== null)
      headers.append("set-cookie", await knownBrowserCookie(accountHash(visit.signedIn.email)));
    return new Response(answer.body, { status: answer.code, headers });
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    if (isDatabaseAway(error)) return refusal(databaseAway(error));
    log.error({ err: error }, "sign-in request failed");
    return refusal(new ApiError("internal"));
  }
}

/** Answers "Forgot password?", in the same way for every address. */
async function answerForgotten(request: Request, { body }: ApiRequest): Promise<Response> {
  if (!isSameOrigin(request)) throw new ApiError("cross_site");
  const { email, json } = body;
  const outcome = await requestReset(typeof email === "string" ? email : "", request.headers);
  const page = `/forgot?${outcome === "accepted" ? "sent=1" : `error=${outcome}`}`;
  const headers = { "Cache-Control": "no-store" };
  if (json === "true") return Response.json({ url: page }, { headers });
  return new Response(null, { status: 303, headers: { ...headers, Location: page } });
}

/**
 * Queues a reset mail. Whether the address belongs to a member is looked up when the mail is written, so neither the answer
 * nor its time shows it. Requests are slowed like sign-ins, but counted apart from the sign-ins of the account, so that a
 * stranger does not delay these.
 *
 * @param typed the address, as typed
 */
async function requestReset(
  typed: string,
  headers: Headers,
): Promise<"accepted" | "InvalidAddress" | "TooManyAttempts" | "Unavailable"> {
  if (!isMailSetUp()) return "Unavailable";
  const email = Email.safeParse(typed);
  if (!email.success) return "InvalidAddress";
  const attempt = await slowDown(accountHash(`reset ${email.data}`), clientAddress(headers), null);
  if (attempt.refused) return "TooManyAttempts";
  await queueResetMail(email.data);
  return "accepted";
}

async function readRequest(request: Request, method: string, path: string[]): Promise<ApiRequest> {
  const text = method === "POST" ? await readBody(request) : "";
  const cookies = new NextRequest(request.url, { headers: request.headers }).cookies.getAll();
  const isJson = request.headers.get("content-type")?.includes("application/json") === true;
  return {
    method,
    query: {
      ...validValues(Object.fromEntries(new URL(request.url).searchParams), ["callbackUrl"]),
      nextauth: path,
    },
    body: validValues(isJson ? jsonObject(text) : Object.fromEntries(new URLSearchParams(text)), [
      "callbackUrl",
    ]),
    // getAll() leaves out cookies that cannot be decoded.
    cookies: validValues(Object.fromEntries(cookies.map(({ name, value }) => [name, value])), [
      "next-auth.callback-url",
      "__Secure-next-auth.callback-url",
    ]),
    headers: Object.fromEntries(request.headers),
  };
}

/** Leaves out values that next-auth would answer with 500: those that are no strings, and invalid URLs. */
function validValues(values: Query, urls: string[]): Query {
  const usable = Object.entries(values).filter(
    ([name, value]) => typeof value === "string" && (!urls.includes(name) || isCallbackUrl(value)),
  );
  return Object.fromEntries(usable);
}

/** The check of next-auth: a path, or an absolute http(s) URL. */
function isCallbackUrl(value: string): boolean {
  const base = value.startsWith("/") ? env().PUBLIC_URL : undefined;
  return URL.canParse(value, base) && /^https?:$/.test(new URL(value, base).protocol);
}

function jsonObject(text: string): Query {
  const value = parseJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Query) : {};
}

/**
 * Adds the CSRF token that next-auth requires (core/lib/csrf-token.js: `token|sha256(token + secret)`), so that
 * sign-in works without scripts. The browser's origin headers already protect the form.
 */
function addCsrfToken(request: Request, input: ApiRequest): void {
  if (input.body.csrfToken !== undefined || !isSameOrigin(request)) return;
  const token = randomBytes(32).toString("hex");
  const hash = createHash("sha256")
    .update(`${token}${env().AUTH_SECRET ?? ""}`)
    .digest("hex");
  const name = env().PUBLIC_URL.startsWith("https://")
    ? "__Host-next-auth.csrf-token"
    : "next-auth.csrf-token";
  input.cookies[name] = `${token}|${hash}`;
  input.body.csrfToken = token;
}

/**
 * Error pages become our sign-in page or the page of the link. URLs of this origin become paths, because a client
 * may use another host name.
 */
function destination(location: string, input: ApiRequest): string {
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
  const { kind, token, callbackUrl } = input.body;
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
  return Response.json(error, { status: error.status, headers: all });
}

/** The methods of a response that next-auth calls. */
class ApiResponse {
  code = 200;
  readonly headers = new Map<string, string | string[]>();
  body: string | null = null;

  status(code: number): this {
    this.code = code;
    return this;
  }
  setHeader(name: string, value: string | string[]): this {
    this.headers.set(name.toLowerCase(), value);
    return this;
  }
  getHeader(name: string): string | string[] | undefined {
    return this.headers.get(name.toLowerCase());
  }
  end(): void {}
  json(value: unknown): void {
    this.setHeader("Content-Type", "application/json");
    this.send(value);
  }
  send(value: unknown): void {
    this.body = value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value);
  }
}
