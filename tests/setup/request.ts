import { freshSessionCookie } from "#lib/auth/session.ts";

/** An exported route handler, as Next calls it. */
export type RouteHandler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Response | Promise<Response>;

export type CallOptions = {
  /** Default GET. */
  method?: string;
  /** Path with query, e.g. "/api/v1/posts?limit=5". */
  path: string;
  /** An API key in clear; sent as X-API-Key. */
  key?: string;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** What Next reads from the path, e.g. { id: "7" }. */
  params?: Record<string, string>;
};

export type CallResult<Body> = {
  status: number;
  headers: Headers;
  /** The body as text, "" when there is none. */
  text: string;
  /** The body as JSON; null when it is empty or not JSON. The type is not checked. */
  json: Body;
};

/**
 * Calls an exported route handler as a function, without a server.
 * @returns status, headers and body of its answer
 */
export async function call<Body = Record<string, unknown>>(
  handler: RouteHandler,
  options: CallOptions,
): Promise<CallResult<Body>> {
  const { method = "GET", path, key, body, headers = {}, params = {} } = options;
  const request = new Request(new URL(path, "http://localhost:3000"), {
    method,
    headers: {
      ...(key === undefined ? {} : { "x-api-key": key }),
      ...(body === undefined || typeof body === "string" ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const response = await handler(request, { params: Promise.resolve(params) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) as Body };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The headers of a signed-in member's request from the dashboard. */
export async function sessionHeaders(member: {
  id: number;
  session_version: number;
}): Promise<Record<string, string>> {
  const cookie = (await freshSessionCookie(member)).split(";")[0] ?? "";
  return { cookie, "sec-fetch-site": "same-origin" };
}
