import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { POST as postAck } from "#app/api/v1/curated/[post_id]/ack/route.ts";
import { POST as postError } from "#app/api/v1/curated/[post_id]/error/route.ts";
import { POST as postNack } from "#app/api/v1/curated/[post_id]/nack/route.ts";
import { GET as getNext } from "#app/api/v1/curated/next/route.ts";
import type { RouteHandler } from "./request.ts";

export interface QueueRequest {
  method: string;
  path: string;
  /** `next`, `ack`, `nack` or `error`; empty for other paths. */
  verb: string;
  /** `If-Match`. */
  lease: string | null;
  /** Milliseconds. */
  at: number;
}

const handlers: Record<string, RouteHandler> = {
  next: getNext,
  ack: postAck,
  nack: postNack,
  error: postError,
};

/**
 * Serves the queue's handlers over HTTP, for programs that consume it.
 *
 * @param refuse called for each request; a status replaces the answer, with a date in `Retry-After` as a proxy may send it
 */
export async function startQueueServer(refuse: (request: QueueRequest) => number | null) {
  const server: Server = createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { method = "GET", url: target = "/" } = incoming;
      const [, id = "", verb = ""] = /^\/api\/v1\/curated\/(?:(\d+)\/)?(\w+)$/.exec(target) ?? [];
      const lease = incoming.headers["if-match"] ?? null;
      const refused = refuse({ method, path: target, verb, lease, at: Date.now() });
      if (refused !== null) {
        outgoing.writeHead(refused, { "Retry-After": new Date(Date.now() + 60_000).toUTCString() });
        return outgoing.end('{"detail":"made up"}');
      }
      const handler = handlers[verb];
      if (handler === undefined) return outgoing.writeHead(404).end();
      const request = new Request(`http://localhost${target}`, {
        method,
        headers: incoming.headers as Record<string, string>,
        ...(method === "POST" ? { body: Buffer.concat(chunks) } : {}),
      });
      const answer = await handler(request, { params: Promise.resolve({ post_id: id }) });
      return outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    })();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}
