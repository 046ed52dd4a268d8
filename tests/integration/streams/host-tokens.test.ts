import { describe, expect, test, vi } from "vitest";
import { parse } from "#lib/accounts/route.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { seal } from "#lib/base/seal.ts";
import { listServers } from "#lib/collect/streams.ts";
import { HostToken } from "#lib/collect/stream-schema.ts";
import { decryptToken, setHostToken, storeHostToken } from "#lib/fediverse/hosts.ts";
import { decodeUri } from "#lib/fediverse/urls.ts";
import { prune } from "#lib/runtime/jobs/prune.ts";
import { makeStream } from "#tests/setup/factories.ts";
import { outcome } from "#tests/setup/operations.ts";
import { fetchNow, skipPauses, streamRow } from "./stream-fetches.ts";

skipPauses();

const { server } = await vi.hoisted(async () =>
  (await import("./simulated-hosts.ts")).startHosts({ server: { posts: 4, software: "gotosocial" } }),
);

const setToken = (host: string, token: string | null) =>
  outcome(async () => {
    const given = parse(HostToken, { token }, "body");
    await setHostToken(servicePrincipal, decodeUri(host), given.token);
  });

describe("a server's token", () => {
  test("is named as missing on the stream and in the list, and set tokens make the stream due", async () => {
    const { id } = await makeStream({ hashtag: "cats", instance: server.host });
    expect((await fetchNow(id)).status).toBe(502);
    expect(await streamRow(id)).toMatchObject({ last_error_kind: "needs_token" });
    const item = { host: server.host, software: "gotosocial", streams: 1 };
    expect(await listServers()).toMatchObject([{ ...item, has_token: false, token_problem: "needs_token" }]);
    await db.stream.update({
      where: { id },
      data: { next_scheduled_fetch: new Date(Date.now() + 3_600_000) },
    });

    expect((await setToken(server.host, "wrong")).status).toBe(200);
    expect((await streamRow(id)).next_scheduled_fetch?.getTime()).toBeLessThanOrEqual(Date.now());
    expect((await fetchNow(id)).status).toBe(502);
    expect(await listServers()).toMatchObject([{ ...item, has_token: true, token_problem: "token_refused" }]);

    await setToken(server.host, server.control.token);
    expect((await fetchNow(id)).status).toBe(200);
    expect(await streamRow(id)).toMatchObject({ last_error: null, last_error_kind: null });
    expect(await listServers()).toMatchObject([{ ...item, has_token: true, token_problem: null }]);
  });

  test("shows that it must be entered again when another key encrypted it, as after a restore", async () => {
    await db.host_state.upsert({
      where: { host: "restored.example" },
      create: { host: "restored.example", token: Buffer.from(seal("x".repeat(43), "restored.example", "t")) },
      update: {},
    });
    const item = { host: "restored.example", has_token: true };
    expect(await listServers()).toContainEqual(
      expect.objectContaining({ ...item, token_problem: "unreadable" }),
    );
    await setToken("restored.example", "t");
    expect(await listServers()).toContainEqual(expect.objectContaining({ ...item, token_problem: null }));
  });

  test("is set for a server written as an address, in any encoding, and refused for anything else", async () => {
    const encoded = encodeURIComponent(`http://${server.host}/`);
    expect((await setToken(encoded, "secret")).status).toBe(200);
    const { token } = await db.host_state.findUniqueOrThrow({ where: { host: server.host } });
    expect(decryptToken(server.host, token ?? Buffer.alloc(0))).toBe("secret");
    for (const host of ["not%20a%20host", "127.0.0.1", "%E0%A4%A", ""])
      expect((await setToken(host, "secret")).status).toBe(422);
    expect((await setToken(server.host, "two words")).status).toBe(422);
  });

  test("is not stored when the audit line cannot be written", async () => {
    await setToken("first.example", "before");
    const { token: before } = await db.host_state.findUniqueOrThrow({ where: { host: "first.example" } });
    await db.$executeRaw`ALTER TABLE audit_event ADD CONSTRAINT no_tokens CHECK (subject <> 'first.example') NOT VALID`;
    try {
      await expect(setToken("first.example", null)).rejects.toThrow(/no_tokens/);
    } finally {
      await db.$executeRaw`ALTER TABLE audit_event DROP CONSTRAINT no_tokens`;
    }
    const { token } = await db.host_state.findUniqueOrThrow({ where: { host: "first.example" } });
    expect(token).toEqual(before);
    await setToken("first.example", null);
    expect(await db.audit_event.findFirst({ orderBy: { id: "desc" } })).toMatchObject({
      action: "host.token.remove",
      subject: "first.example",
    });
  });
});

describe("rows of hosts", () => {
  const age = (host: string, days: number) =>
    db.$executeRaw`UPDATE host_state SET updated_at = now() - ${days} * interval '1 day' WHERE host = ${host}`;
  const hostsLeft = async (among: string[]) =>
    (await db.host_state.findMany({ where: { host: { in: among } }, orderBy: { host: "asc" } })).map(
      (row) => row.host,
    );

  test("are deleted after 30 days without a request, except with a token, a stream or a wait", async () => {
    const all = ["a-old", "b-token", "c-stream", "d-waiting", "e-recent"].map((name) => `${name}.example`);
    await db.host_state.createMany({ data: all.map((host) => ({ host })) });
    await storeHostToken("b-token.example", "secret");
    await makeStream({ instance: "c-stream.example", active: true });
    await db.host_state.update({
      where: { host: "d-waiting.example" },
      data: { state: { wait_until: Date.now() + 60_000, wait_reason: "asked_to_wait" } },
    });
    for (const host of all.slice(0, 4)) await age(host, 31);
    await age("e-recent.example", 29);
    await prune();
    expect(await hostsLeft(all)).toEqual(all.slice(1));
  });

  test("are bounded: the oldest of more than 10 000 are deleted", async () => {
    await db.host_state.deleteMany();
    await db.$executeRaw`
      INSERT INTO host_state (host, updated_at) SELECT 'h' || n || '.flood.example', now() - n * interval '1 minute'
        FROM generate_series(10, 11009) n`;
    await storeHostToken("h11009.flood.example", "secret");
    await age("h11009.flood.example", 9);
    await prune();
    expect(await db.host_state.count()).toBe(10_001);
    expect(await hostsLeft(["h11009.flood.example", "h11008.flood.example", "h10.flood.example"])).toEqual([
      "h10.flood.example",
      "h11009.flood.example",
    ]);
  });
});
