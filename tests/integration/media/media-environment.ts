import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
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
