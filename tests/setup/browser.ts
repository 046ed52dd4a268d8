import { GET, POST } from "#app/api/auth/[...nextauth]/route.ts";

export type Visit = {
  status: number;
  location: string | null;
  json: Record<string, unknown> | null;
  headers: Headers;
};

/** Just enough of a browser to sign in: keeps cookies, says where a form was sent from. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly headers: Record<string, string>;

  constructor(headers: Record<string, string> = {}) {
    this.headers = headers;
  }

  /** The `Cookie` header it sends now. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Opens a path below /api/auth. */
  get(path: string, headers: Record<string, string> = {}): Promise<Visit> {
    return this.#send("GET", path, undefined, headers);
  }

  /** Sends a form to a path below /api/auth. */
  post(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Visit> {
    return this.#send("POST", path, new URLSearchParams(form), headers);
  }

  /** Signs in as a form on our own page does, without any script. */
  signIn(email: string, password: string, more: Record<string, string> = {}): Promise<Visit> {
    return this.post(
      "callback/credentials",
      { email, password, ...more },
      { "sec-fetch-site": "same-origin" },
    );
  }

  async #send(
    method: "GET" | "POST",
    path: string,
    body: URLSearchParams | undefined,
    headers: Record<string, string>,
  ): Promise<Visit> {
    const url = new URL(`/api/auth/${path}`, "http://localhost:3000");
    const request = new Request(url, {
      method,
      headers: { ...this.headers, ...headers, ...(this.cookies.size > 0 ? { cookie: this.cookie } : {}) },
      ...(body ? { body } : {}),
    });
    const params = Promise.resolve({ nextauth: url.pathname.split("/").slice(3) });
    const answer = await (method === "GET" ? GET : POST)(request, { params });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json") === true && text !== "";
    return {
      status: answer.status,
      location: answer.headers.get("location"),
      json: isJson ? (JSON.parse(text) as Record<string, unknown>) : null,
      headers: answer.headers,
    };
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";");
    const at = pair.indexOf("=");
    const expired = attributes.some((each) => /^\s*max-age=0$/i.test(each) || isPast(each));
    if (expired || pair.length === at + 1) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

function isPast(attribute: string): boolean {
  const time = /^\s*expires=(.+)$/i.exec(attribute)?.[1];
  return time !== undefined && Date.parse(time) <= Date.now();
}
