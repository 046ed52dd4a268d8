export type ApiAnswer<Body> = { status: number; json: Body; headers: Headers };

export type ApiCaller = <Body = Record<string, unknown>>(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
) => Promise<ApiAnswer<Body>>;

/**
 * Returns a function that calls the API, relative to /api/v1, and returns error answers too.
 *
 * @param headers a key (`{ "x-api-key": … }`), or a session's `{ cookie, origin }`
 */
export function apiCaller(url: string, headers: Record<string, string>): ApiCaller {
  return async <Body>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
    return {
      status: response.status,
      json: (isJson ? JSON.parse(text) : text) as Body,
      headers: response.headers,
    };
  };
}

export function throwOnError(call: ApiCaller): ApiCaller {
  return async (method, path, body) => {
    const answer = await call<never>(method, path, body);
    if (answer.status < 300) return answer;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
  };
}

/** Fetches a stream until its timeline is read to the end. */
export async function fetchToEnd(call: ApiCaller, streamId: number): Promise<void> {
  for (let isAtEnd = false; !isAtEnd;)
    isAtEnd = (await call<{ cursor_at_end: boolean }>("POST", `/streams/${streamId}/fetch`)).json
      .cursor_at_end;
}

export type Session = { cookie: string };

export async function createSession(url: string, email: string, password: string): Promise<Session> {
  const cookies = new Map<string, string>();
  const store = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
  };
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const csrf = await fetch(`${url}/api/auth/csrf`);
  store(csrf);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const signedIn = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookie(), origin: url },
    body: new URLSearchParams({ email, password, csrfToken, json: "true" }),
  });
  store(signedIn);
  if (![...cookies.keys()].some((name) => name.endsWith("session-token")))
    throw new Error(`Signing in failed: ${signedIn.status} ${await signedIn.text()}`);
  return { cookie: cookie() };
}

export function sessionCookies(
  session: Session,
  url: string,
): { name: string; value: string; url: string }[] {
  return session.cookie.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
  });
}
