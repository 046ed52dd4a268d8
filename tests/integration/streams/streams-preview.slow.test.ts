import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as preview from "#app/api/v1/streams/preview/route.ts";
import { db } from "#lib/db.ts";
import type { StreamPreview } from "#lib/streams/preview-schema.ts";
import { storeHostToken } from "#lib/hosts/host-token.ts";
import { longestBlockingTime } from "#tests/setup/blocking-time.ts";
import { makeKey, makeMember, makePost, makeStream } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { faults, type Fault } from "#tests/simulated-server/server.ts";

/** Besides two servers: a host that redirects everything to one of them, a web site, and software without hashtags. */
const { mastodon, gotosocial, hostile, old, website, peertube } = await vi.hoisted(async () => {
  const http = await import("node:http");
  const { startSimulatedServer } = await import("#tests/simulated-server/server.ts");
  const hashtags = ["cats"];
  const mastodon = await startSimulatedServer({ posts: 100, hashtags, spanHours: 20 });
  const gotosocial = await startSimulatedServer({ posts: 30, hashtags, software: "gotosocial" });
  const hostile = await startSimulatedServer({ posts: 0, hashtags });
  const listen = async (answer: Parameters<typeof http.createServer>[1]) => {
    const server = http.createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, host: `127.0.0.1:${(server.address() as { port: number }).port}` };
  };
  const old = await listen((request, response) => {
    response.writeHead(301, { location: `${mastodon.origin}${request.url}` }).end();
  });
  const website = await listen((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!DOCTYPE html><h1>Bakery</h1>");
  });
  const peertube = await listen((request, response) => {
    const rel = "http://nodeinfo.diaspora.software/ns/schema/2.0";
    const body = request.url?.startsWith("/.well-known")
      ? { links: [{ rel, href: "https://tube.example/nodeinfo" }] }
      : { software: { name: "peertube", version: "7.0" } };
    response
      .writeHead(request.url?.includes("nodeinfo") ? 200 : 404, { "content-type": "application/json" })
      .end(JSON.stringify(body));
  });
  process.env.ALLOWED_PRIVATE_HOSTS = [
    mastodon.origin,
    gotosocial.origin,
    hostile.origin,
    `http://${old.host}`,
    `http://${website.host}`,
    `http://${peertube.host}`,
  ].join();
  return { mastodon, gotosocial, hostile, old, website, peertube };
});
afterAll(async () => {
  old.server.close();
  website.server.close();
  peertube.server.close();
  await mastodon.close();
  await gotosocial.close();
  await hostile.close();
});
beforeEach(async () => {
  mastodon.control.clearFaults();
  await db.host_state.deleteMany();
  await db.preview_use.deleteMany();
});

let key: string | undefined;
async function look(body: unknown, as?: string) {
  key ??= await makeKey();
  return call<StreamPreview>(preview.POST, {
    method: "POST",
    path: "/api/v1/streams/preview",
    body,
    key: as ?? key,
  });
}

test("other requests get their turn between the posts of long profiles", async () => {
  const { control } = hostile;
  const note = ">".repeat(49_000);
  const account = { acct: "mira", url: `${hostile.origin}/@mira`, display_name: "Mira", note };
  for (let n = 0; n < 40; n++) control.addPost({ hashtags: ["cats"], raw: { account } });
  await look({ hashtag: "cats", instance: mastodon.host });
  const longest = await longestBlockingTime(async () => {
    const { json } = await look({ hashtag: "cats", instance: hostile.host });
    expect(json).toMatchObject({ works: true, read: 40 });
  });
  // About 35 ms on a quiet machine; forty profiles in one slice take 700 ms.
  expect(longest).toBeLessThan(300);
});

const stored = () =>
  Promise.all([
    db.stream.count(),
    db.post.count(),
    db.sighting.count(),
    db.consent_drop.count(),
    db.dropped_post.count(),
    db.fetch_run.count(),
    db.account_host.count(),
    db.audit_event.count(),
    db.tombstone.count(),
  ]);

describe("a server that works", () => {
  test("is described with software, version and ten posts, and nothing is stored", async () => {
    const before = await stored();
    const { status, json } = await look({ hashtag: "#Cats", instance: mastodon.host });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      hashtag: "Cats",
      instance: mastodon.host,
      works: true,
      problem: null,
      suggested_instance: null,
      software: "mastodon",
      has_token: false,
      existing_stream_id: null,
    });
    expect(json.version).toMatch(/^\d/);
    expect(json.posts).toHaveLength(10);
    expect(json.posts.map((post) => post.consent.policy)).toEqual(Array<string>(10).fill("moderate"));
    expect(json.posts.some((post) => post.language !== null)).toBe(true);
    expect(json.posts.some((post) => post.media.length > 0)).toBe(true);
    expect(await stored()).toEqual(before);
  });

  test("shows nothing of posts whose author refuses, only their number", async () => {
    const refusing = mastodon.control.addPost({ hashtags: ["cats"], paragraphs: ["Only for my followers"] });
    refusing.author = { ...refusing.author, bio: "#nobot" };
    const { json, text } = await look({ hashtag: "cats", instance: mastodon.host });
    expect(json.left_out.refusal_tag).toBeGreaterThan(0);
    expect(text).not.toContain("Only for my followers");
    expect(json.posts.length + sum(json.left_out)).toBeLessThanOrEqual(json.read);
  });

  test("counts the posts that are stored already", async () => {
    const asked = { hashtag: "cats", instance: mastodon.host };
    const before = await look(asked);
    expect(before.json.known).toBe(0);
    const own = before.json.posts.filter(({ url }) => url.startsWith(mastodon.origin)).slice(0, 2);
    expect(own).toHaveLength(2);
    for (const { url } of own) await makePost({ uri: url.replace(/@([^/]+)\//, "users/$1/statuses/") });
    expect((await look(asked)).json.known).toBe(2);
  });

  test("is judged by the settings of the form", async () => {
    const asked = { hashtag: "cats", instance: mastodon.host };
    const plain = await look(asked);
    const strict = await look({ ...asked, require_media: true, consent_policy: "opt-in" });
    expect(strict.json.posts).toEqual([]);
    expect(strict.json.left_out.not_opted_in).toBeGreaterThan(10);
    const media = await look({ ...asked, require_media: true });
    expect(media.json.posts.every((post) => post.media.length > 0)).toBe(true);
    expect(media.json.posts_per_day?.kept).toBeLessThan(plain.json.posts_per_day?.kept ?? 0);
    expect(media.json.posts_per_day?.read).toBe(plain.json.posts_per_day?.read);
  });

  test("with about 100 posts in 20 hours has an estimate of that size", async () => {
    const { json } = await look({ hashtag: "cats", instance: mastodon.host });
    expect(json.posts_per_day?.read).toBeGreaterThan(70);
    expect(json.posts_per_day?.read).toBeLessThan(200);
  });

  test("names the stream that exists already", async () => {
    const { id } = await makeStream({ hashtag: "cats", instance: mastodon.host });
    const { json } = await look({ hashtag: "CATS", instance: mastodon.host });
    expect(json.existing_stream_id).toBe(id);
    await db.stream.delete({ where: { id } });
  });

  test("is asked with the stored token", async () => {
    const asked = { hashtag: "cats", instance: gotosocial.host };
    const without = await look(asked);
    expect(without.json).toMatchObject({
      works: false,
      software: "gotosocial",
      has_token: false,
      problem: { code: "needs_token" },
    });
    await storeHostToken(gotosocial.host, gotosocial.control.token);
    expect((await look(asked)).json).toMatchObject({ works: true, has_token: true });
    await storeHostToken(gotosocial.host, "wrong");
    expect((await look(asked)).json).toMatchObject({ works: false, problem: { code: "token_refused" } });
  });
});

describe("a server that does not work", () => {
  test.each<[string, Fault, string]>([
    ["a web page", { kind: "html" }, "unreadable"],
    ["deeply nested JSON", { kind: "status", status: 200, body: "[".repeat(100_000) }, "unreadable"],
    ["500", faults.serverError(), "server_error"],
    ["429", faults.tooManyRequests(60), "rate_limited"],
    ["404 for the hashtag", faults.notFound(), "hashtag_unknown"],
    ["422 for anonymous readers", faults.needsUser(), "needs_token"],
    ["a cut connection", { kind: "drop" }, "unreachable"],
    ["no answer", { kind: "stall" }, "slow"],
  ])("because of %s is reported in one sentence", async (_name, fault, code) => {
    mastodon.control.fail(fault);
    const { status, json } = await look({ hashtag: "cats", instance: mastodon.host });
    expect(status).toBe(200);
    expect(json).toMatchObject({ works: false, software: "mastodon", posts: [], problem: { code } });
    expect(json.problem?.message).toMatch(/^[^\n]{10,200}\.$/);
  });

  test("because it asked to wait is not asked again", async () => {
    mastodon.control.failNext(faults.tooManyRequests(60));
    await look({ hashtag: "cats", instance: mastodon.host });
    const before = mastodon.control.requests.length;
    const { json } = await look({ hashtag: "cats", instance: mastodon.host });
    expect(json.problem?.code).toBe("waiting");
    expect(mastodon.control.requests.length).toBe(before);
  });

  test("because it is a web site is told from a fediverse server", async () => {
    const { json } = await look({ hashtag: "cats", instance: website.host });
    expect(json).toMatchObject({ works: false, software: null, problem: { code: "not_fediverse" } });
  });

  test("because it leads to another host names that host", async () => {
    const { json } = await look({ hashtag: "cats", instance: old.host });
    expect(json).toMatchObject({
      works: false,
      suggested_instance: mastodon.host,
      problem: { code: "redirects" },
    });
    expect(json.problem?.message).toContain(mastodon.host);
  });

  test("because its name does not exist", async () => {
    const { json } = await look({ hashtag: "cats", instance: "nowhere.invalid" });
    expect(json).toMatchObject({ works: false, software: null, problem: { code: "unknown_name" } });
    expect(json.problem?.message).toContain("nowhere.invalid");
  });

  test("because its software has no hashtags", async () => {
    const { json } = await look({ hashtag: "cats", instance: peertube.host });
    expect(json).toMatchObject({ software: "peertube", version: "7.0", problem: { code: "no_timelines" } });
  });
});

describe("the request", () => {
  test.each([
    [{ hashtag: "two words" }, "hashtag"],
    [{ hashtag: "cats", instance: "169.254.169.254" }, "instance"],
  ])("%j is refused at its field, without a request", async (body, path) => {
    const before = mastodon.control.requests.length;
    const { status, json } = await look(body);
    expect(status).toBe(422);
    expect((json as unknown as { errors: { path: string }[] }).errors[0]?.path).toBe(path);
    expect(mastodon.control.requests.length).toBe(before);
  });

  test("is limited for each member, over all of their keys", async () => {
    const { id } = await makeMember("admin");
    const keys = [await makeKey({ created_by: id }), await makeKey({ created_by: id })];
    const body = { hashtag: "cats", instance: "nowhere.invalid" };
    await db.preview_use.create({ data: { member_id: id, used: 10 } });
    const answers = await Promise.all([0, 1, 0, 1].map((n) => look(body, keys[n])));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(refused?.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    // Others are not limited, and the next minute begins anew.
    expect((await look(body)).status).toBe(200);
    await db.preview_use.updateMany({ data: { started_at: new Date(Date.now() - 61_000) } });
    expect((await look(body, keys[0])).status).toBe(200);
  });
});

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
