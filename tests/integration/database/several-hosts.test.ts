import { afterEach, beforeEach, expect, it } from "vitest";
import { DatabaseClient } from "#lib/db-client.ts";
import { waitForDatabase } from "#lib/runtime/postgres/connect.ts";
import { startSilentProxy, type SilentProxy } from "./silent-proxy.ts";

/* A standby is in tests/e2e/several-instances.slow.spec.ts. */

let proxies: SilentProxy[];
let both: string;

beforeEach(async () => {
  proxies = await Promise.all([1, 2].map(() => startSilentProxy(process.env.DATABASE_URL ?? "")));
  const [first = "", second = ""] = proxies.map(({ url }) => url);
  both = first.replace(new URL(first).host, `${new URL(first).host},${new URL(second).host}`);
});

afterEach(() => Promise.all(proxies.map((proxy) => proxy.close())));

const setModes = (...modes: Parameters<SilentProxy["setMode"]>[0][]) =>
  modes.forEach((mode, index) => proxies[index]?.setMode(mode));

async function connect(connectionString = both): Promise<number> {
  const client = new DatabaseClient({ connectionString });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return client.port;
  } finally {
    await client.end();
  }
}

const portOf = (index: number) => Number(new URL(proxies[index]?.url ?? "").port);

it.each(["closed", "all"] as const)("a host in mode %s is left out, whatever its place", async (mode) => {
  setModes(mode, "none");
  expect(await connect()).toBe(portOf(1));
  setModes("none", mode);
  // Another URL, because answers are kept for a second.
  expect(await connect(`${both}?a=b`)).toBe(portOf(0));
});

it("without a host that accepts writes, the connection fails within seconds, and a start waits", async () => {
  setModes("closed", "none");
  const readOnly = `${both}?options=-c%20default_transaction_read_only%3Don`;
  await expect(connect(readOnly)).rejects.toThrow(/terminated|read-only/);
  expect(await waitForDatabase(readOnly, 0)).toBe(false);
  setModes("closed", "closed");
  await expect(connect()).rejects.toThrow("terminated");
});

it("an answer of a server says more than a host that is down", async () => {
  setModes("closed", "none");
  await expect(connect(both.replace(/:[^:@]*@/, ":wrong@"))).rejects.toThrow("password");
});

it("a client that ended while the hosts were asked opens no connection", async () => {
  setModes("none", "none");
  const client = new DatabaseClient({ connectionString: both });
  const connecting = client.connect();
  await client.end();
  await expect(connecting).rejects.toThrow("terminated");
  await expect.poll(() => proxies.map((proxy) => proxy.open())).toEqual([0, 0]);
});
