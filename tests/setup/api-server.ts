import { createServer } from "node:http";
import { listen } from "./listen.ts";
import { routeOf } from "./operations.ts";
import type { RouteHandler } from "./request.ts";

interface ApiRequest {
  /** `next`, `ack`, `nack`, `error` and so on; empty outside the queue. */
  verb: string;
  /** `If-Match`. */
  lease: string | null;
}

/**
 * Serves the route handlers over HTTP, for programs that use the API.
 *
 * @param refuse called for each request; a status replaces the answer, with a date in `Retry-After` as a proxy may send it
 */
export async function startApiServer(refuse: (request: ApiRequest) => number | null = () => null) {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { method = "GET", url: target = "/" } = incoming;
      const [, verb = ""] = /^\/api\/v1\/curated\/(?:\d+\/)?(\w+)$/.exec(target) ?? [];
      const lease = incoming.headers["if-match"] ?? null;
      const refused = refuse({ verb, lease });
      if (refused !== null) {
        outgoing.writeHead(refused, { "Retry-After": new Date(Date.now() + 60_000).toUTCString() });
        return outgoing.end('{"detail":"made up"}');
      }
      const route = routeOf(new URL(target, "http://localhost").pathname);
      if (route === null) return outgoing.writeHead(404).end();
      const handlers = (await import(route.file)) as Record<string, RouteHandler>;
      const handler = handlers[method];
      if (handler === undefined) return outgoing.writeHead(405).end();
      const request = new Request(`http://localhost${target}`, {
        method,
        headers: incoming.headers as Record<string, string>,
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      });
      const answer = await handler(request, { params: Promise.resolve(route.params) });
      return outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    })();
  });
  const { origin, close } = await listen(server);
  return { url: origin, close };
}
