import { connect, createServer, type Socket } from "node:net";
import { addressThrough, listen } from "#tests/setup/listen.ts";

export type Silence = "none" | "all" | "open" | "answers";

export type SilentProxy = {
  url: string;
  setMode: (silence: Silence) => void;
  open: () => number;
  close: () => Promise<void>;
};

/**
 * A proxy that stops traffic without closing connections, like a stopped server process (`all`), a firewall
 * that dropped its state (`open`) or a network failure after the request (`answers`). `none` sends the
 * withheld data. `closed` ends connections instead, like a server that is down.
 */
export async function startSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl);
  let silence: Silence = "none";
  const pairs = new Set<{ client: Socket; server: Socket; dead: boolean }>();

  const hush = () => {
    for (const pair of pairs) {
      const still = silence === "all" || (silence === "open" && pair.dead);
      if (still) pair.client.pause();
      else pair.client.resume();
      if (still || silence === "answers") pair.server.pause();
      else pair.server.resume();
    }
  };
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    const pair = { client, server, dead: false };
    pairs.add(pair);
    // The end of a paused socket is not seen, as with a stopped process.
    client.on("data", (chunk) => server.write(chunk));
    server.on("data", (chunk) => client.write(chunk));
    client.on("end", () => server.end());
    server.on("end", () => client.end());
    for (const socket of [client, server]) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        pairs.delete(pair);
        client.destroy();
        server.destroy();
      });
    }
    hush();
  });
  const { port, close } = await listen(listener);
  return {
    url: addressThrough(databaseUrl, port),
    open: () => pairs.size,
    setMode: (next) => {
      silence = next;
      for (const pair of pairs) pair.dead = next === "open";
      hush();
    },
    close: async () => {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await close();
    },
  };
}
