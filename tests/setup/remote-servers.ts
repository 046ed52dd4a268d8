import { expect, onTestFinished, vi } from "vitest";
import { env, forgetEnv } from "#lib/base/env.ts";
import { RemoteError } from "#lib/fediverse/remote-error.ts";
import { startSimulatedServer } from "#tests/simulated-server/server.ts";
import type { SimulatedServer, SimulatedServerOptions } from "#tests/simulated-server/server.ts";

/** A simulated server that this process may ask, until the test ends. */
export async function startRemote(options: SimulatedServerOptions = {}): Promise<SimulatedServer> {
  const server = await startSimulatedServer({ hashtags: ["cats"], ...options });
  onTestFinished(() => server.close());
  vi.stubEnv("ALLOWED_PRIVATE_HOSTS", [...env().ALLOWED_PRIVATE_HOSTS, server.origin].join(","));
  forgetEnv();
  return server;
}

export async function remoteFailure(promise: Promise<unknown>): Promise<RemoteError> {
  const error = await promise.then(
    () => new Error("it answered"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RemoteError);
  return error as RemoteError;
}
