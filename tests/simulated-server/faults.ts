import type { IncomingMessage, ServerResponse } from "node:http";

export type Fault =
  | { kind: "status"; status: number; headers?: Record<string, string>; body?: string; type?: string }
  | { kind: "slow"; ms: number }
  | { kind: "stall" }
  | { kind: "drop" }
  | { kind: "invalid_json" }
  | { kind: "html" }
  | { kind: "wrong_shape" }
  | { kind: "endless" };

export type FaultTarget = "timeline" | "status" | "account" | "nodeinfo" | "media" | "all";

export const faults = {
  /** `Retry-After` in seconds or as an HTTP date. */
  tooManyRequests: (retryAfter?: number | string): Fault => ({
    kind: "status",
    status: 429,
    headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
    body: '{"error":"Too many requests"}',
  }),
  serverError: (status = 500): Fault => ({
    kind: "status",
    status,
    body: "<!DOCTYPE html><title>We're sorry, but something went wrong (500)</title>",
    type: "text/html",
  }),
  unavailable: (retryAfter?: number): Fault => ({
    kind: "status",
    status: 503,
    headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
    body: "",
  }),
  unauthorized: (): Fault => ({ kind: "status", status: 401, body: '{"error":"Invalid token"}' }),
  /** As Mastodon before 4.5 for a timeline that is not public. */
  needsUser: (): Fault => ({
    kind: "status",
    status: 422,
    body: '{"error":"This method requires an authenticated user"}',
  }),
  forbidden: (): Fault => ({ kind: "status", status: 403, body: '{"error":"This action is not allowed"}' }),
  notFound: (): Fault => ({ kind: "status", status: 404, body: '{"error":"Record not found"}' }),
  redirect: (location: string): Fault => ({ kind: "status", status: 302, headers: { location } }),
} satisfies Record<string, (...values: never[]) => Fault>;

/**
 * Applies the fault.
 *
 * @returns false when the request was only delayed
 */
export async function suffer(
  fault: Fault,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const json = { "content-type": "application/json; charset=utf-8" };
  switch (fault.kind) {
    case "slow":
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return response.destroyed;
    case "stall":
      return true;
    case "status":
      response.writeHead(fault.status, {
        "content-type": fault.type ?? json["content-type"],
        ...fault.headers,
      });
      response.end(fault.body ?? "{}");
      return true;
    case "drop":
      response.writeHead(200, { ...json, "content-length": "100000" });
      response.write('[{"id":"1",', () => request.socket.destroy());
      return true;
    case "invalid_json":
      response.writeHead(200, json).end('[{"id":"1","uri":');
      return true;
    case "wrong_shape":
      response.writeHead(200, json).end('{"statuses":[]}');
      return true;
    case "html":
      response.writeHead(200, { "content-type": "text/html" }).end("<!DOCTYPE html><title>Wait</title>");
      return true;
    case "endless":
      response.writeHead(200, json);
      writeForEver(response);
      return true;
  }
}

function writeForEver(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, " ");
  while (!response.destroyed) {
    if (!response.write(chunk)) {
      response.once("drain", () => writeForEver(response));
      return;
    }
  }
}
