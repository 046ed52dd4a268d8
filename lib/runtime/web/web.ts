import { Server } from "node:http";
import { fileURLToPath } from "node:url";
import { disconnectDb } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { listenFailure } from "#lib/runtime/ports.ts";
import { onStop, tellSupervisor } from "#lib/runtime/supervisor/supervised-child.ts";
import { addressList } from "./client-address.ts";
import { createWebServer } from "./server.ts";

const DRAIN_MS = 10_000;

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

process.title = "sluice-web";
const { CORS_ORIGINS, HOST, PORT, TRUSTED_PROXIES, NODE_ENV } = env();
const dev = NODE_ENV !== "production";
const { server, drain } = createWebServer(
  (request, response) => answer(request, response),
  addressList(TRUSTED_PROXIES),
  CORS_ORIGINS,
);

const { default: next } = await import("next");
const app = next({
  dev,
  dir: ROOT,
  hostname: HOST,
  port: PORT,
  // Only development uses WebSockets. On the real server Next would leave requests with an Upgrade header
  // (`curl --http2`) hanging.
  httpServer: dev ? server : new Server(),
  quiet: true,
});
await withoutReport(() => app.prepare());
const answer = app.getRequestHandler();

server.once("error", (error: NodeJS.ErrnoException) => {
  tellSupervisor({ type: "failed", sentence: listenFailure(error, HOST, PORT) });
  process.exit(1);
});
server.listen(PORT, HOST, () => tellSupervisor({ type: "ready" }));

onStop(() => {
  void drain(DRAIN_MS)
    .then(disconnectDb)
    .finally(() => process.exit(0));
});

/** Suppresses Next's report of how long its configuration took. */
async function withoutReport(work: () => Promise<void>): Promise<void> {
  const { log } = console;
  if (!dev) console.log = () => undefined;
  await work();
  console.log = log;
}
