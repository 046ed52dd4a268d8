import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { listen } from "#tests/setup/listen.ts";
import { startMediaHost, type MediaHost } from "./media-host.ts";

export interface MediaEnvironment {
  host: MediaHost;
  folder: string;
  takeDown: () => Promise<void>;
}

/**
 * Starts a remote media server and a cache folder and sets the environment. Call it in `vi.hoisted`:
 * settings are read at import.
 */
export async function startMediaEnvironment(): Promise<MediaEnvironment> {
  const folder = await mkdtemp(`${tmpdir()}/sluice-media-`);
  process.env.DATA_DIR = folder;
  const host = await startMediaHost();
  process.env.ALLOWED_PRIVATE_HOSTS = host.origin;
  const takeDown = async () => {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { host, folder, takeDown };
}

/** A host whose requests stay open until `refuse` is called; then it answers 404 to all. */
export async function startSlowHost() {
  const open = new Set<ServerResponse>();
  let refusing = false;
  const server = createServer((_request, response) => {
    if (refusing) return void response.writeHead(404).end();
    open.add(response);
    response.on("close", () => open.delete(response));
  });
  const { origin, close } = await listen(server);
  return {
    origin,
    close,
    open,
    stall: () => {
      refusing = false;
    },
    refuse: () => {
      refusing = true;
      for (const response of open) response.writeHead(404).end();
    },
  };
}
