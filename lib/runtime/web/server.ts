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
import { ApiError, type ErrorCode } from "#lib/errors.ts";
import { corsHeaders } from "#lib/http/cors.ts";
import { settleForwarding, type TrustedProxies } from "./client-address.ts";

/*
 * The server in front of Next. It answers itself what Next would answer in a form that docs/api.md does not
 * know: malformed targets, methods without a meaning, requests that are no HTTP.
 */

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type WebServer = {
  server: Server;
  /** Stops accepting, lets what is under way finish, and cuts it after `limit` milliseconds. */
  drain: (limit: number) => Promise<void>;
};

const CLOSE = { Connection: "close" };
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** The API's routes measure their bodies themselves; this is for sign-in and whatever else Next reads. Bytes. */
const LARGEST_BODY = 256 * 1024;
/**
 * Headers by which Next's own browser code and its hosting talk to it. To an API request they would bring a redirect
 * (`RSC`), an empty answer (`x-middleware-prefetch`) or parameters that are not in the path.
 */
const OF_NEXT = /^(?:rsc$|next-|x-(?:middleware|nextjs|now|matched|invoke|prerender)-)/;

/**
 * Makes the server; the caller lets it listen.
 * @param handle what answers everything that is well formed
 * @param origins those whose pages may read what the API refuses here (`CORS_ORIGINS`)
 */
export function createWebServer(
  handle: RequestHandler,
  proxies: TrustedProxies,
  origins: string[] = [],
): WebServer {
  let draining = false;
  // Browsers open connections in advance. Node counts one without a request as busy, so draining would wait for it.
  const unused = new Set<Socket>();
  // Without `requireHostHeader: false` Node refuses a request without a host by itself, in no form at all.
  const options = { keepAlive: true, noDelay: true, requireHostHeader: false };
  const server = createServer(options, (request, response) => {
    unused.delete(request.socket);
    const { headers } = request;
    const id = requestId(headers["x-request-id"]);
    // The wrapper around the routes takes the id over from here, so that both say the same.
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
    // RFC 9112 §3.2; HTTP/1.0 knew no hosts.
    if (headers.host === undefined && request.httpVersion === "1.1")
      return refuse("malformed_request", CLOSE);
    if (!isPlainTarget(target)) return refuse("not_found");
    const method = request.method ?? "";
    if (!METHODS.has(method)) return void refuseMethod(server, target, refuse);
    if (!ofApi) {
      if (Number(headers["content-length"] ?? 0) > LARGEST_BODY) return refuse("body_too_large", CLOSE);
      if (headers["transfer-encoding"] !== undefined) return refuse("length_required", CLOSE);
    }
    settleForwarding(headers, request.socket.remoteAddress, proxies);
    handle(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse("internal");
    });
  });
  // Longer than the idle time of the usual load balancers (60 s), so that they close first and never send a
  // request into a connection that is just being closed.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 20_000;
  server.requestTimeout = 60_000;
  server.maxHeadersCount = 200;
  server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("clientError", (error, socket) => void answerClientError(server, error, socket));
  // An expectation nobody here can meet may be passed over (RFC 9110 §10.1.1); Node would answer 417 in no form.
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
    server.emit("request", request, response),
  );
  // A proxy request; there is nothing to connect to.
  server.on("connect", (_request, socket: Duplex) => writeRefusal(socket, "method_not_allowed"));
  return {
    server,
    drain: (limit) => {
      draining = true;
      return new Promise((resolve) => {
        const late = setTimeout(() => server.closeAllConnections(), limit);
        // A kept connection whose answer ends after this moment would otherwise stay open until its idle time.
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

/** Proxies may send the whole address ("GET http://host/path"); routes know paths only. */
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
  return { status: error.status, body: JSON.stringify({ detail: error.message }) };
}

/**
 * 405 with the methods of that path, or 404 where there is no such path: the path is asked itself, since only
 * the routes know (rare enough for a round trip).
 */
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

/** What the parser itself refuses: no HTTP, headers too large, too slow, or a method it has never heard of. */
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
  // Something was answered already on this connection: a second answer would be taken for the next one's.
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
 * What is wrong with a request's target so that no route may see it: Next would redirect doubled slashes,
 * answer 500 to escapes that are not UTF-8 and drop trailing slashes, while for the API all of them are
 * unknown paths.
 *
 * On the way of every request, so it looks at the target once, character by character, and decodes only what
 * has something to decode.
 * @param target the request target as sent, such as "/api/v1/posts?limit=5"
 * @returns whether a route may see it
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

/** Whoever asks for these has a fixed address; a person who typed one slash too many still gets the page. */
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
  // Dot segments would make the router and the URL parser see two different paths.
  return !decoded.includes("\0") && !/(^|\/)\.{1,2}(\/|$)/.test(decoded);
}
