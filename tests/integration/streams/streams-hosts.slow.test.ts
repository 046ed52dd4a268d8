import { beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { seal } from "#lib/base/seal.ts";
import { claimStream } from "#lib/collect/fetch-sql.ts";
import { runFetch } from "#lib/collect/run-fetch.ts";
import { governedRequest, hostStates } from "#lib/fediverse/governed-request.ts";
import { knownServer, storeHostToken } from "#lib/fediverse/hosts.ts";
import { makeStream } from "#tests/setup/factories.ts";
import { faults } from "#tests/simulated-server/server.ts";

const { server } = await vi.hoisted(async () =>
  (await import("./simulated-hosts.ts")).startHosts({ server: { posts: 150 } }),
);
beforeEach(async () => {
  server.control.clearFaults();
  await db.stream.deleteMany();
  await db.post.deleteMany();
  await db.host_state.deleteMany();
});

describe("host state", () => {
  test("survives parallel writers", async () => {
    const tickets = await Promise.all(
      Array.from({ length: 25 }, () =>
        hostStates.update("busy.example", (state) => {
          const next = { ...state, last_ticket: state.last_ticket + 1 };
          return { state: next, answer: next.last_ticket };
        }),
      ),
    );
    expect(new Set(tickets).size).toBe(25);
    const { state } = await db.host_state.findUniqueOrThrow({ where: { host: "busy.example" } });
    expect(state).toMatchObject({ last_ticket: 25 });
  });

  test("is not written when unchanged", async () => {
    const touch = () => hostStates.update("calm.example", (state) => ({ state, answer: null }));
    await touch();
    const before = await db.host_state.findUniqueOrThrow({ where: { host: "calm.example" } });
    await touch();
    expect(await db.host_state.findUniqueOrThrow({ where: { host: "calm.example" } })).toEqual(before);
  });
});

describe("host software", () => {
  const ask = async () => (await knownServer(server.host, governedRequest({}))).software;

  test("is requested once and kept while the host fails", async () => {
    expect(await ask()).toMatchObject({ name: "mastodon", family: "mastodon" });
    await db.$executeRaw`UPDATE host_state SET software_at = now() - interval '2 days'`;
    server.control.fail(faults.serverError(), "nodeinfo");
    expect(await ask()).toMatchObject({ name: "mastodon", family: "mastodon" });
    await db.host_state.deleteMany();
    await expect(ask()).rejects.toMatchObject({ name: "RemoteError", kind: "server_error" });
  });

  test("is stored as unknown when the host does not report it", async () => {
    server.control.fail(faults.notFound(), "nodeinfo");
    expect(await ask()).toMatchObject({ name: null });
    const before = server.control.hits("nodeinfo");
    expect(await ask()).toMatchObject({ name: null });
    expect(server.control.hits("nodeinfo")).toBe(before);
  });
});

describe("tokens", () => {
  test("count as missing when undecryptable, with advice in the log", async () => {
    const logged = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    await storeHostToken("a.example", "secret token");
    const tokenOf = async (host: string) => {
      await db.host_state.updateMany({ data: { software_at: new Date() } });
      return (await knownServer(host, governedRequest({}))).token;
    };
    expect(await tokenOf("a.example")).toBe("secret token");
    await db.host_state.update({
      where: { host: "a.example" },
      data: {
        token: Buffer.from(seal(env().ENCRYPTION_KEY ?? "", "b.example", "x")),
        software_at: new Date(),
      },
    });
    expect(await tokenOf("a.example")).toBeNull();
    expect(logged).toHaveBeenCalled();
  });
});

test("a fetch returns the posts stored at its deadline and continues there", async () => {
  const { id } = await makeStream({ hashtag: "cats", instance: server.host });
  const run = async (ms: number) => {
    const stream = await claimStream(id);
    const ran = stream && (await runFetch(stream, { limit: 400, deadline: new Date(Date.now() + ms) }));
    if (ran === null) throw new Error("not claimed");
    return ran;
  };
  server.control.fail({ kind: "slow", ms: 700 });
  const began = Date.now();
  const first = await run(2_000);
  expect(Date.now() - began).toBeLessThan(4_500);
  expect(first.failure).toBeNull();
  expect(first.figures.cursor_at_end).toBe(false);
  expect(first.figures.new).toBeGreaterThan(0);
  expect(first.figures.new).toBe(await db.post.count());
  expect(await db.stream.findUniqueOrThrow({ where: { id } })).toMatchObject({
    last_error: null,
    fetch_lease: null,
  });
  server.control.clearFaults();
  const second = await run(20_000);
  expect(second.figures.cursor_at_end).toBe(true);
  expect(second.figures.new).toBeGreaterThan(0);
  expect((await run(20_000)).figures).toMatchObject({ new: 0, cursor_at_end: true });
});
