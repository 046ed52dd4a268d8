import { afterAll } from "vitest";
import {
  startSimulatedServer,
  type SimulatedServer,
  type SimulatedServerOptions,
} from "#tests/simulated-server/server.ts";

/**
 * Starts servers of #cats, which the file may reach, until its end. Call it in `vi.hoisted`: settings are read at import.
 */
export async function startHosts<Name extends string>(
  hosts: Record<Name, SimulatedServerOptions>,
): Promise<Record<Name, SimulatedServer>> {
  const started = {} as Record<Name, SimulatedServer>;
  for (const name of Object.keys(hosts) as Name[])
    started[name] = await startSimulatedServer({ hashtags: ["cats"], ...hosts[name] });
  const servers = Object.values<SimulatedServer>(started);
  process.env.ALLOWED_PRIVATE_HOSTS = servers.map(({ origin }) => origin).join();
  afterAll(() => Promise.all(servers.map((server) => server.close())));
  return started;
}
