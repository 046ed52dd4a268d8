import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { listen } from "#tests/setup/listen.ts";
import type { Answer, World } from "./answers.ts";
import { makeControl } from "./control.ts";
import type { Control } from "./control.ts";
import { suffer } from "./faults.ts";
import { serveMedia } from "./media.ts";
import type { Software } from "./model.ts";
import { answer, targetOf } from "./routes.ts";

export { faults } from "./faults.ts";
export type { Fault } from "./faults.ts";
export type { SimMedia, SimPost, Software } from "./model.ts";
export type { PostKind } from "./make-posts.ts";

export interface SimulatedServerOptions {
  /** Default 0: a free port. */
  port?: number;
  /** Default "sluice". Equal seeds give equal people, posts and pictures. */
  seed?: string | number;
  software?: Software;
  posts?: number;
  /** Each post has one. Default `["cats", "photography"]`. */
  hashtags?: readonly string[];
}

export interface SimulatedServer {
  /** `http://127.0.0.1:<port>`, for ALLOWED_PRIVATE_HOSTS. */
  origin: string;
  /** `127.0.0.1:<port>`, the `instance` of a stream. */
  host: string;
  software: Software;
  control: Control;
  close(): Promise<void>;
}

export async function startSimulatedServer(options: SimulatedServerOptions = {}): Promise<SimulatedServer> {
  const software = options.software ?? "mastodon";
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
      response.end(error instanceof Error ? (error.stack ?? error.message) : "failed");
    });
  });
  const { origin, close } = await listen(server, options.port);
  const { host } = new URL(origin);
  const control = makeControl({
    seed: options.seed ?? "sluice",
    software,
    posts: options.posts ?? 120,
    hashtags: options.hashtags ?? ["cats", "photography"],
    origin,
  });
  const world: World = { control, origin, software };
  const limits = rateCounter(control);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    const body = await readJson(request);
    control.requests.push({
      method: request.method ?? "GET",
      path: url.pathname + url.search,
      at: new Date(),
      authorization: request.headers.authorization ?? null,
      user_agent: request.headers["user-agent"] ?? null,
    });
    if (control.requests.length > 5_000) control.requests.shift();
    const target = targetOf(url.pathname);
    const fault = control.takeFault(target);
    if (fault && (await suffer(fault, request, response))) return;
    if (target === "media") return serveMedia(world, url.pathname, response);
    const rate = url.pathname.startsWith("/api/") ? limits() : null;
    const reply: Answer =
      rate?.exceeded === true
        ? { status: 429, json: { error: "Too many requests" } }
        : answer(world, {
            method: request.method ?? "GET",
            url,
            body,
            wantsObject: /activity\+json|ld\+json/.test(request.headers.accept ?? ""),
            token: /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? null,
          });
    send(response, reply, rate?.headers ?? {});
  }

  return {
    origin,
    host,
    software,
    control,
    async close() {
      control.stop();
      await close();
    },
  };
}

function send(response: ServerResponse, reply: Answer, headers: Record<string, string>): void {
  const isPage = "html" in reply;
  const type = isPage ? "text/html" : "application/json";
  const own = isPage ? {} : reply.headers;
  response.writeHead(reply.status, { "content-type": `${type}; charset=utf-8`, ...own, ...headers });
  response.end(isPage ? reply.html : JSON.stringify(reply.json));
}

/** Mastodon's rate limit headers; the reset is an ISO time. */
function rateCounter(control: Control): () => { exceeded: boolean; headers: Record<string, string> } | null {
  let used = 0;
  let ends = 0;
  return () => {
    if (control.rateLimit === null) return null;
    const { limit, windowSeconds } = control.rateLimit;
    if (Date.now() >= ends) {
      used = 0;
      ends = Date.now() + windowSeconds * 1000;
    }
    used++;
    return {
      exceeded: used > limit,
      headers: {
        "x-ratelimit-limit": String(limit),
        "x-ratelimit-remaining": String(Math.max(0, limit - used)),
        "x-ratelimit-reset": new Date(ends).toISOString(),
      },
    };
  };
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    const json: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
