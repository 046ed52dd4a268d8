import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Listens on a free port of this machine. The address is that of the database, through this listener. */
export async function listenForDatabase(
  listener: Server,
  databaseUrl: string,
): Promise<{ url: string; close: () => Promise<void> }> {
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    close: async () => {
      listener.close();
      await once(listener, "close");
    },
  };
}
