import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  request as sendRequest,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { env } from "#lib/base/env.ts";
import { ApiError, type ErrorCode } from "#lib/base/errors.ts";
import { corsHeaders } from "#lib/base/http/cors.ts";
import { log } from "#lib/base/log.ts";
import { settleForwarding, type TrustedProxies } from "./client-address.ts";

/* Answers malformed requests in the API's format (docs/decisions/0009-own-web-server.md). */

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type WebServer = {
  server: Server;
  /** Lets running requests finish, for `limit` milliseconds at most. */
  drain: (limit: number) => Promise<void>;
};

const HOUR_MS = 3_600_000;
const warnedAt = new Map<string, number>();

/** At most once an hour, because any client can send the headers. */
function warnHourly(fields: object, sentence: string): void {
  const now = performance.now();
  if (now - (warnedAt.get(sentence) ?? -Infinity) < HOUR_MS) return;
  warnedAt.set(sentence, now);
  log.warn(fields, sentence);
}

const CLOSE = { Connection: "close" };
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Outside the API; its routes limit bodies themselves. */
const MAX_BODY_BYTES = 256 * 1024;
/**
 * Next's internal headers. On an API request they cause a redirect, an empty response or extra parameters.
 */
const OF_NEXT = /^(?:rsc$|next-|x-(?:middleware|nextjs|now|matched|invoke|prerender)-)/;

/**
 * @param origins CORS_ORIGINS
 */
export function createWebServer(
  handle: RequestHandler,
  proxies: TrustedProxies,
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
    const id = requestId(headers["x-request-id"]);
    headers["x-request-id"] = id;
    response.setHeader("X-Request-Id", id);
    if (draining) response.setHeader("Connection", "close");
    const target = (request.url = originForm(request.url ?? ""));
    const ofApi = target.startsWith("/api/v1/");
    if (ofApi) {
      response.setHeader("Cache-Control", "no-store");
      for (const name in headers) if (OF_NEXT.test(name)) delete headers[name];
    }
    const refuse = (code: ErrorCode, extra: Record<string, string> = {}) =>
      writeAnswer(response, code, {
        ...(ofApi ? corsHeaders(headers.origin ?? null, origins) : {}),
        ...extra,
      });
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
    if (settleForwarding(headers, request.socket.remoteAddress, proxies)) {
      warnHourly(
        { peer: request.socket.remoteAddress },
        "request forwarded by a proxy that is not in TRUSTED_PROXIES: sign-in attempts are counted without the client's address",
      );
    }
    // Next refuses a form whose Origin is not the host, which a proxy may have changed.
    const ours = new URL(env().PUBLIC_URL);
    if (headers.origin === ours.origin) headers["x-forwarded-host"] = ours.host;
    if (headers["x-forwarded-proto"] === "https" && env().PUBLIC_URL.startsWith("http:")) {
      warnHourly(
        { host: headers.host, public_url: env().PUBLIC_URL },
        "request came by HTTPS, but PUBLIC_URL begins with http: cookies are sent without Secure, and links point to http",
      );
    }
    handle(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse("internal");
    });
  });
  // Longer than usual for load balancers (60 s), so that they close first.
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
        // Running requests leave idle connections behind.
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

function requestId(given: string | string[] | undefined): string {
  return typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

/** For absolute targets ("GET http://host/path"). */
function originForm(target: string): string {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

function writeAnswer(response: ServerResponse, code: ErrorCode, headers: Record<string, string>): void {
  const { status, body } = answerOf(code);
  response.writeHead(status, {
    ...headers,
    "Cache-Control": "no-store",
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}

function answerOf(code: ErrorCode): { status: number; body: string } {
  const error = new ApiError(code);
  return { status: error.status, body: JSON.stringify(error) };
}

/** 405, or 404 for an unknown path; only an OPTIONS request to the path can tell. */
async function refuseMethod(
  server: Server,
  target: string,
  answer: (code: ErrorCode, headers: Record<string, string>) => void,
): Promise<void> {
  const options = await askOptions(server, target).catch(() => null);
  if (options?.status === 404) answer("not_found", {});
  else answer("method_not_allowed", { Allow: options?.allow ?? "GET, HEAD" });
}

function askOptions(server: Server, target: string): Promise<{ status: number; allow: string | undefined }> {
  return new Promise((resolve, reject) => {
    const address = server.address();
    if (address === null || typeof address === "string") return reject(new Error("not listening"));
    const host =
      address.address === "::" ? "::1" : address.address === "0.0.0.0" ? "127.0.0.1" : address.address;
    const probe = sendRequest({
      host,
      port: address.port,
      method: "OPTIONS",
      path: target,
      agent: false,
      timeout: 5_000,
    });
    probe.on("response", (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, allow: response.headers.allow });
    });
    probe.on("timeout", () => probe.destroy(new Error("timeout")));
    probe.on("error", reject);
    probe.end();
  });
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
  // The connection's next request would receive a second response.
  if (!socket.writable || ((socket as Socket).bytesWritten ?? 0) > 0) return void socket.destroy();
  const { status, body } = answerOf(code);
  const all = {
    ...headers,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Request-Id": randomUUID(),
    "Cache-Control": "no-store",
    Connection: "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${code.replaceAll("_", " ")}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

/**
 * Whether a request target may reach a route. Next would redirect doubled and trailing slashes and answer
 * 500 to invalid escapes; the API answers 404. A hot path: decodes only when needed.
 * @param target such as "/api/v1/posts?limit=5"
 */
export function isPlainTarget(target: string): boolean {
  if (target.charCodeAt(0) !== SLASH) return false;
  let suspicious = false;
  let end = target.length;
  for (let index = 1; index < target.length; index++) {
    const code = target.charCodeAt(index);
    if (code === QUESTION) {
      end = index;
      break;
    }
    if (code === SLASH && target.charCodeAt(index - 1) === SLASH) return false;
    if (code === BACKSLASH) return false;
    if (code === PERCENT || (code === DOT && target.charCodeAt(index - 1) === SLASH)) suspicious = true;
  }
  if (end > 1 && target.charCodeAt(end - 1) === SLASH && FOR_PROGRAMS.test(target)) return false;
  return !suspicious || decodesWell(target.slice(0, end));
}

/** Only these paths refuse trailing slashes; pages allow them. */
const FOR_PROGRAMS = /^\/(?:api|media|health|info|livez|readyz|metrics)\//;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const QUESTION = 0x3f;
const PERCENT = 0x25;
const DOT = 0x2e;

function decodesWell(path: string): boolean {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return false;
  }
  // The router and the URL parser disagree on dot segments.
  return !decoded.includes("\0") && !/(^|\/)\.{1,2}(\/|$)/.test(decoded);
}
