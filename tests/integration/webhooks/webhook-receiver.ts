import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * A server that stores requests and answers with `state`, after `state.before`. Call it in `vi.hoisted`, because it allows its
 * own address.
 */
export async function startReceiver() {
  const messages: Received[] = [];
  const state = {
    status: 204,
    headers: {} as Record<string, string>,
    before: (path: string): Promise<void> | undefined => void path,
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      messages.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() });
      void Promise.resolve(state.before(path)).then(() =>
        response.writeHead(state.status, state.headers).end(),
      );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.ALLOWED_PRIVATE_HOSTS = origin;
  return { server, origin, messages, state };
}
