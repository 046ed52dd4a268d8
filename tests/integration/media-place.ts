import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { startMediaHost, type MediaHost } from "./media-host.ts";

export interface MediaPlace {
  host: MediaHost;
  /** Of the cache. */
  folder: string;
  takeDown: () => Promise<void>;
}

/**
 * A stranger's server of pictures and a folder for the cache, named in the environment. To be called in `vi.hoisted`,
 * before any module reads the settings: the server is on a private address.
 */
export async function startMediaPlace(): Promise<MediaPlace> {
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
