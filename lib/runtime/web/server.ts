import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, BlockList, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { env, localAddress } from "#lib/base/env.ts";
import { ApiError, type ErrorCode } from "#lib/base/errors.ts";
import { corsHeaders } from "#lib/base/http/cors.ts";
import { requestIdOf } from "#lib/base/http/reply.ts";
import { log } from "#lib/base/log.ts";
import { settleForwarding } from "./client-address.ts";

/* Answers malformed requests in the API's format (docs/decisions/0009-own-web-server.md). */

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type WebServer = {
  server: Server;
  /** Lets running requests finish, for `limit` milliseconds at most. */
  drain: (limit: number) => Promise<void>;
};

let isWarned = false;

/** Warns once, because any client can send the headers. */
function warnAboutProxy(peer: string): void {
  if (isWarned) return;
  isWarned = true;
  log.warn(
    { peer },
    "request forwarded by a proxy that is not in TRUSTED_PROXIES: sign-in attempts are counted without the client's address",
  );
}

const CLOSE = { Connection: "close" };
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Limit of a body outside the API, whose routes have their own limits. */
const MAX_BODY_BYTES = 256 * 1024;
/**
 * Next's internal headers. On an API request they cause a redirect, an empty response or extra parameters.
 */
const NEXT_HEADERS = /^(?:rsc$|next-|x-(?:middleware|nextjs|now|matched|invoke|prerender)-)/;

/**
 * @param origins CORS_ORIGINS
 */
export function createWebServer(
  handle: RequestHandler,
  proxies: BlockList,
  origins: string[] = [],
): WebServer {
  let draining = false;
  // Node counts connections that browsers open in advance as busy while draining.
  const unused = new Set<Socket>();
  // Node would refuse a missing Host header with an empty body.
  const options = { keepAlive: true, noDelay: true, requireHostHeader: false };
  const server = createServer(options, (request, response) => {
    unused.delete(request.socket);
    const { headers } = request;
    const id = requestIdOf(headers["x-request-id"]);
    headers["x-request-id"] = id;
    response.setHeader("X-Request-Id", id);
    if (draining) response.setHeader("Connection", "close");
    const target = (request.url = originForm(request.url ?? ""));
    const ofApi = target.startsWith("/api/v1/");
    if (ofApi) {
      response.setHeader("Cache-Control", "no-store");
      for (const name in headers) if (NEXT_HEADERS.test(name)) delete headers[name];
    }
    const refuse = (code: ErrorCode, extra: Record<string, string> = {}) => {
      const cors = ofApi ? corsHeaders(headers.origin ?? null, origins) : {};
      const answer = answerOf(code, { ...cors, ...extra });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    };
    // RFC 9112 §3.2; HTTP/1.0 has no Host header.
    if (headers.host === undefined && request.httpVersion === "1.1")
      return refuse("malformed_request", CLOSE);
    if (!isPlainTarget(target)) return refuse("not_found");
    const method = request.method ?? "";
    if (!METHODS.has(method)) return void refuseMethod(server, target, refuse);
    if (!ofApi) {
      if (Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES) return refuse("body_too_large", CLOSE);
      if (headers["transfer-encoding"] !== undefined) return refuse("length_required", CLOSE);
    }
    const { remoteAddress: peer = "" } = request.socket;
    if (settleForwarding(headers, peer, proxies)) warnAboutProxy(peer);
    // Next refuses a form whose Origin is not the host, which a proxy may have changed.
    const ours = new URL(env().PUBLIC_URL);
    if (headers.origin === ours.origin) headers["x-forwarded-host"] = ours.host;
    handle(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse("internal");
    });
  });
  // Longer than the usual 60 s of load balancers, so that they close connections first.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 20_000;
  server.requestTimeout = 60_000;
  server.maxHeadersCount = 200;
  server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("clientError", (error, socket) => void answerClientError(server, error, socket));
  // Unknown expectations may be ignored (RFC 9110 §10.1.1); Node would answer 417.
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
    server.emit("request", request, response),
  );
  server.on("connect", (_request, socket: Duplex) => writeRefusal(socket, "method_not_allowed"));
  return {
    server,
    drain: (limit) => {
      draining = true;
      return new Promise((resolve) => {
        const late = setTimeout(() => server.closeAllConnections(), limit);
        // Each running request leaves an idle connection when it ends.
        const sweep = setInterval(() => server.closeIdleConnections(), 50);
        server.close(() => {
          clearTimeout(late);
          clearInterval(sweep);
          resolve();
        });
        for (const socket of unused) socket.destroy();
      });
    },
  };
}

/** Converts an absolute target ("GET http://host/path") to a path. */
function originForm(target: string): string {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

function answerOf(code: ErrorCode, headers: Record<string, string>) {
  const error = new ApiError(code);
  const body = JSON.stringify(error);
  const all = {
    ...headers,
    "Cache-Control": "no-store",
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
  };
  return { status: error.status, body, headers: all };
}

/** Answers 405, or 404 for an unknown path. Only an OPTIONS request to the path can tell. */
async function refuseMethod(
  server: Server,
  target: string,
  answer: (code: ErrorCode, headers: Record<string, string>) => void,
): Promise<void> {
  const { address = "", port = 0 } = (server.address() ?? {}) as Partial<AddressInfo>;
  const options = await fetch(localAddress(address, port) + target, {
    method: "OPTIONS",
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null);
  if (options?.status === 404) answer("not_found", {});
  else answer("method_not_allowed", { Allow: options?.headers.get("allow") ?? "GET, HEAD" });
}

async function answerClientError(
  server: Server,
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Duplex,
): Promise<void> {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const line = /^[A-Za-z-]+ (\/\S*) HTTP\/1\.[01]\r?\n/.exec(error.rawPacket?.toString("latin1") ?? "");
  if (error.code === "HPE_INVALID_METHOD" && line?.[1] !== undefined) {
    if (!isPlainTarget(line[1])) return writeRefusal(socket, "not_found");
    return refuseMethod(server, line[1], (code, headers) => writeRefusal(socket, code, headers));
  }
  if (error.code === "HPE_HEADER_OVERFLOW") return writeRefusal(socket, "headers_too_large");
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return writeRefusal(socket, "request_timeout");
  return writeRefusal(socket, "malformed_request");
}

function writeRefusal(socket: Duplex, code: ErrorCode, headers: Record<string, string> = {}): void {
  // A second response would be read as the answer to the next request of the connection.
  if (!socket.writable || ((socket as Socket).bytesWritten ?? 0) > 0) return void socket.destroy();
  const answer = answerOf(code, { ...headers, ...CLOSE, "X-Request-Id": randomUUID() });
  const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    `HTTP/1.1 ${answer.status} ${code.replaceAll("_", " ")}\r\n${lines.join("\r\n")}\r\n\r\n${answer.body}`,
  );
}

/** Paths for programs, which refuse trailing slashes. Pages allow them. */
const FOR_PROGRAMS = /^\/(?:api|media|health|info|livez|readyz|metrics)\/(?:.*\/)?$/;

/**
 * Whether a request target may reach a route. Next would redirect doubled and trailing slashes and answer
 * 500 to invalid escapes; the API answers 404. Decodes only when needed.
 * @param target for example "/api/v1/posts?limit=5"
 */
export function isPlainTarget(target: string): boolean {
  const [path = ""] = target.split("?", 1);
  if (!path.startsWith("/") || /\/\/|\\/.test(path) || FOR_PROGRAMS.test(path)) return false;
  if (!/%|\/\./.test(path)) return true;
  try {
    // Dot segments are refused, because the router and the URL parser disagree on them.
    return !/\0|(^|\/)\.{1,2}(\/|$)/.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}
