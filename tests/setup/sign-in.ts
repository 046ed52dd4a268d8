import { createHash, createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { GET, POST } from "#app/api/auth/[...nextauth]/route.ts";
import { listen } from "./listen.ts";

export type AuthResponse = {
  status: number;
  location: string | null;
  json: Record<string, unknown> | null;
  headers: Headers;
};

/** Calls the sign-in routes with a browser's cookies. */
export class AuthBrowser {
  readonly cookies = new Map<string, string>();
  readonly headers: Record<string, string>;

  constructor(headers: Record<string, string> = {}) {
    this.headers = headers;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  get(path: string, headers: Record<string, string> = {}): Promise<AuthResponse> {
    return this.#send("GET", path, undefined, headers);
  }

  post(
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<AuthResponse> {
    return this.#send("POST", path, new URLSearchParams(form), headers);
  }

  /** Submits the form as the page does without JavaScript. */
  signIn(email: string, password: string, more: Record<string, string> = {}): Promise<AuthResponse> {
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
  ): Promise<AuthResponse> {
    const url = new URL(`/api/auth/${path}`, "http://localhost:3000");
    const request = new Request(url, {
      method,
      headers: { ...this.headers, ...headers, ...(this.cookies.size > 0 ? { cookie: this.cookie } : {}) },
      ...(body ? { body } : {}),
    });
    const params = Promise.resolve({ nextauth: url.pathname.split("/").slice(3) });
    const answer = await (method === "GET" ? GET : POST)(request, { params });
    for (const line of answer.headers.getSetCookie()) this.#store(line);
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json") === true && text !== "";
    return {
      status: answer.status,
      location: answer.headers.get("location"),
      json: isJson ? (JSON.parse(text) as Record<string, unknown>) : null,
      headers: answer.headers,
    };
  }

  #store(line: string): void {
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

export type Claims = { sub: string; email?: string; email_verified?: boolean | string; name?: string };

type Grant = { claims: Claims; nonce: string | null; challenge: string | null; redirectUri: string };

export class OpenIdProvider {
  claims: Claims = { sub: "1" };
  readonly #keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  readonly #grants = new Map<string, Grant>();
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(() => response.writeHead(500).end());
  });

  issuer = "";
  stop: () => Promise<void> = () => Promise.resolve();

  async start(): Promise<void> {
    ({ origin: this.issuer, close: this.stop } = await listen(this.#server));
  }

  authorise(location: string): string {
    const asked = new URL(location).searchParams;
    const redirectUri = asked.get("redirect_uri") ?? "";
    const code = randomUUID();
    this.#grants.set(code, {
      claims: this.claims,
      nonce: asked.get("nonce"),
      challenge: asked.get("code_challenge"),
      redirectUri,
    });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", asked.get("state") ?? "");
    return back.href;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (body: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/.well-known/openid-configuration") {
      return void send({
        issuer: this.issuer,
        authorization_endpoint: `${this.issuer}/authorize`,
        token_endpoint: `${this.issuer}/token`,
        jwks_uri: `${this.issuer}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      });
    }
    if (request.url === "/keys") {
      return void send({
        keys: [{ ...this.#keys.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }],
      });
    }
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const form = new URLSearchParams(body);
    const grant = this.#grants.get(form.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (
      grant === undefined ||
      verifier !== grant.challenge ||
      form.get("redirect_uri") !== grant.redirectUri
    ) {
      return void send({ error: "invalid_grant" }, 400);
    }
    this.#grants.delete(form.get("code") ?? "");
    send({ access_token: randomUUID(), token_type: "Bearer", id_token: this.#sign(grant) });
  }

  #sign(grant: Grant): string {
    const seconds = Math.floor(Date.now() / 1000);
    const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const claims = { iss: this.issuer, aud: "sluice", iat: seconds, exp: seconds + 60, ...grant.claims };
    const input = `${encode({ alg: "RS256", kid: "1" })}.${encode(grant.nonce === null ? claims : { ...claims, nonce: grant.nonce })}`;
    return `${input}.${createSign("RSA-SHA256").update(input).sign(this.#keys.privateKey, "base64url")}`;
  }
}
