export type ApiAnswer<Body> = { status: number; json: Body; headers: Headers };

export type ApiCaller = <Body = Record<string, unknown>>(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
) => Promise<ApiAnswer<Body>>;

/**
 * Calls the API of a running Sluice; paths are below /api/v1. Whatever is answered is returned, refusals too.
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

/** The same, and anything but 2xx is an Error that says what was refused and why. */
export function strictly(call: ApiCaller): ApiCaller {
  return async (method, path, body) => {
    const answer = await call<never>(method, path, body);
    if (answer.status < 300) return answer;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
  };
}
