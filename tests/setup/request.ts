import { sessionCookie } from "#lib/accounts/session.ts";
import { db } from "#lib/base/db.ts";
import { errorCodes, statusOf } from "#lib/base/errors.ts";

export type RouteHandler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Response | Promise<Response>;

export type CallOptions = {
  method?: string;
  path: string;
  key?: string;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  params?: Record<string, string>;
};

export type CallResult<Body> = {
  status: number;
  headers: Headers;
  text: string;
  /** Null when the body is empty or not JSON. The type is not checked. */
  json: Body;
};

/** Calls a route handler without a server. */
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
  if (response.status >= 400) checkCode(response.status, text);
  return { status: response.status, headers: response.headers, text, json: parse(text) as Body };
}

/** Every refusal of every test has a code of the table, with the status of that code. */
function checkCode(status: number, text: string): void {
  const body = parse(text) as { code?: unknown } | null;
  if (body === null) return;
  const code = errorCodes.find((each) => each === body.code);
  if (code === undefined || statusOf(code) !== status)
    throw new Error(
      `${status} with a code that lib/base/errors.ts does not have for it: ${text.slice(0, 200)}`,
    );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export async function sessionHeaders(member: { id: number }): Promise<Record<string, string>> {
  const { id } = await db.session.create({ data: { member_id: member.id } });
  const { name, value } = await sessionCookie(member.id, id);
  return { cookie: `${name}=${value}`, "sec-fetch-site": "same-origin" };
}
