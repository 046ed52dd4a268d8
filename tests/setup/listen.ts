import { once } from "node:events";
import { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** Listens on a port of this machine, by default a free one. `close` also ends open HTTP connections. */
export async function listen(
  server: Server,
  wanted = 0,
): Promise<{ port: number; origin: string; close: () => Promise<void> }> {
  server.listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    if (server instanceof HttpServer) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, origin: `http://127.0.0.1:${port}`, close };
}

/** The address of a database through this proxy. */
export function addressThrough(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return url.href;
}
