import sharp from "sharp";
import { afterEach, describe, expect, it } from "vitest";
import { faults, startSimulatedServer } from "./simulated-server/server.ts";
import type { SimulatedServer, SimulatedServerOptions } from "./simulated-server/server.ts";

const running: SimulatedServer[] = [];

async function start(options: SimulatedServerOptions = {}): Promise<SimulatedServer> {
  const server = await startSimulatedServer(options);
  running.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

interface Status {
  id: string;
  uri: string;
  created_at: string;
  media_attachments?: { type: string; url: string; preview_url: string | null; blurhash: string | null }[];
}

async function timeline(server: SimulatedServer, query = ""): Promise<Status[]> {
  const answer = await fetch(`${server.origin}/api/v1/timelines/tag/cats?${query}`, {
    headers: { authorization: `Bearer ${server.control.token ?? ""}` },
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Status[];
}

describe("simulated server", () => {
  it("is equal for equal seed and time and differs for another seed", async () => {
    const now = new Date("2026-11-21T12:00:00Z");
    const describeAll = async (seed: string) => {
      const server = await start({ seed, now, posts: 60 });
      const statuses = await timeline(server, "limit=40");
      return JSON.stringify(statuses).replaceAll(server.origin, "");
    };
    const [first, again, other] = [await describeAll("a"), await describeAll("a"), await describeAll("b")];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it("has every kind of post", async () => {
    const { control } = await start({ posts: 120 });
    const kinds = new Set(control.posts.map((post) => post.kind));
    for (const kind of [
      "text",
      "picture",
      "copy",
      "poll",
      "quote",
      "boost",
      "reply",
      "long",
      "remote",
      "video",
      "bot",
    ]) {
      expect([...kinds]).toContain(kind);
    }
    expect(control.posts.find((post) => post.kind === "long")?.hashtags.length).toBeGreaterThanOrEqual(12);
    const languages = new Set(control.posts.map((post) => post.language));
    expect(languages.size).toBeGreaterThanOrEqual(7);
    const copy = control.posts.find((post) => post.kind === "copy");
    const seeds = control.posts.filter((post) => post !== copy).map((post) => post.media[0]?.picture?.seed);
    expect(seeds).toContain(copy?.media[0]?.picture?.seed);
  });
});

describe("paging", () => {
  it("pages back with max_id, forward with min_id, and returns the newest page for since_id", async () => {
    const server = await start({ posts: 200, hashtags: ["cats"] });
    const all: string[] = [];
    for (let next = ""; ;) {
      const page = await timeline(server, `limit=40${next}`);
      if (page.length === 0) break;
      all.push(...page.map((status) => status.id));
      next = `&max_id=${page.at(-1)?.id ?? ""}`;
    }
    const shown = server.control.posts.filter((post) => post.visibility === "public").map((post) => post.id);
    expect(all).toEqual(shown.reverse());
    const forward: string[] = [];
    for (let cursor = all.at(-1) ?? ""; ;) {
      const page = await timeline(server, `limit=7&min_id=${cursor}`);
      if (page.length === 0) break;
      forward.unshift(...page.map((status) => status.id));
      cursor = page[0]?.id ?? "";
    }
    expect(forward).toEqual(all.slice(0, -1));
    const newest = await timeline(server, `limit=5&since_id=${all[50] ?? ""}`);
    expect(newest.map((status) => status.id)).toEqual(all.slice(0, 5));
  });

  it("returns at most forty posts, and only media on request", async () => {
    const server = await start({ posts: 200, hashtags: ["cats"] });
    expect(await timeline(server, "limit=1000")).toHaveLength(40);
    expect(await timeline(server)).toHaveLength(20);
    const withMedia = await timeline(server, "only_media=true&limit=40");
    expect(withMedia.every((status) => (status.media_attachments ?? []).length > 0)).toBe(true);
  });

  it("places a post learnt late below the cursor", async () => {
    const server = await start({ posts: 10, hashtags: ["cats"] });
    const head = (await timeline(server))[0]?.id ?? "";
    const old = new Date(Date.now() - 5 * 3_600_000);
    const late = server.control.addPost({ created_at: old });
    expect((await timeline(server, `min_id=${head}`)).map((status) => status.id)).toEqual([]);
    expect((await timeline(server, "limit=40")).map((status) => status.id)).toContain(late.id);
  });
});

describe("pictures", () => {
  it(
    "are real files of the type they claim, with previews, posters and avatars",
    { timeout: 30_000 },
    async () => {
      const server = await start({ posts: 100, hashtags: ["cats"] });
      const statuses = [
        ...(await timeline(server, "limit=40")),
        ...(await timeline(server, "limit=40&only_media=1")),
      ];
      const media = statuses.flatMap((status) => status.media_attachments ?? []).slice(0, 25);
      for (const { type, url, preview_url, blurhash } of media) {
        for (const address of [type === "image" ? url : null, preview_url]) {
          if (address === null) continue;
          const answer = await fetch(address);
          const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
          expect(answer.headers.get("content-type")).toBe(`image/${picture.format}`);
          expect(picture.width).toBeGreaterThan(300);
        }
        if (preview_url !== null) expect(blurhash).toMatch(/^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{8}$/);
      }
      expect((await fetch(`${server.origin}/avatars/1001.png`)).status).toBe(200);
      expect((await fetch(`${server.origin}/media/nothing/small.jpg`)).status).toBe(404);
    },
  );
});

describe("faults", () => {
  it("apply once or until cleared, and only to the given requests", async () => {
    const { origin, control } = await start({ posts: 5, hashtags: ["cats"] });
    const ask = async (path = "/api/v1/timelines/tag/cats") => (await fetch(origin + path)).status;
    control.failNext(faults.serverError());
    expect([await ask(), await ask()]).toEqual([500, 200]);
    control.fail(faults.tooManyRequests(30));
    expect([await ask(), await ask(), await ask("/nodeinfo/2.0")]).toEqual([429, 429, 200]);
    control.clearFaults();
    expect(await ask()).toBe(200);
  });

  it("rate limits count down and answer 429", async () => {
    const { origin, control } = await start({ posts: 5 });
    control.rateLimit = { limit: 2, windowSeconds: 60 };
    const ask = () => fetch(`${origin}/api/v1/timelines/tag/cats`);
    const first = await ask();
    expect(first.headers.get("x-ratelimit-remaining")).toBe("1");
    expect(Date.parse(first.headers.get("x-ratelimit-reset") ?? "")).toBeGreaterThan(Date.now());
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  });

  it("can be set over HTTP", async () => {
    const { origin, control } = await start({ posts: 5, hashtags: ["cats"] });
    const order = (body: unknown) =>
      fetch(`${origin}/control`, { method: "POST", body: JSON.stringify(body) }).then(
        (answer) => answer.status,
      );
    const post = control.posts[0]?.id ?? "";
    expect(await order({ action: "arrive", count: 3 })).toBe(200);
    expect(control.posts).toHaveLength(8);
    expect(await order({ action: "delete", post })).toBe(200);
    expect((await fetch(`${origin}/api/v1/statuses/${post}`)).status).toBe(410);
    expect(await order({ action: "edit", post: control.posts[1]?.id, paragraphs: ["new"] })).toBe(200);
    expect(await order({ action: "opt_out", username: "mira" })).toBe(200);
    expect(control.findAuthor("mira").bio).toContain("#nobot");
    expect(await order({ action: "fail_next", fault: { kind: "html" } })).toBe(200);
    expect((await fetch(`${origin}/api/v1/timelines/tag/cats`)).headers.get("content-type")).toContain(
      "html",
    );
    expect(await order({ action: "delete", post: "nobody" })).toBe(404);
    expect(await order({ action: "dance" })).toBe(422);
    const state = (await (await fetch(`${origin}/control`)).json()) as { posts: unknown[] };
    expect(state.posts).toHaveLength(8);
  });
});

describe("other addresses", () => {
  it("serve nodeinfo, instance, account, and a post's page and object", async () => {
    const { origin, control } = await start({ posts: 5 });
    const get = async (path: string, accept = "application/json") => {
      const answer = await fetch(origin + path, { headers: { accept } });
      return { status: answer.status, text: await answer.text() };
    };
    expect((await get("/.well-known/nodeinfo")).text).toContain("/nodeinfo/2.0");
    expect(JSON.parse((await get("/nodeinfo/2.0")).text)).toMatchObject({ software: { name: "mastodon" } });
    expect(JSON.parse((await get("/api/v1/accounts/lookup?acct=mira")).text)).toMatchObject({ acct: "mira" });
    expect((await get("/api/v1/accounts/lookup?acct=nobody")).status).toBe(404);
    const post = control.addPost({ visibility: "public", author: control.findAuthor("mira") });
    expect((await get(`/@mira/${post.id}`, "text/html")).text).toContain("<!DOCTYPE html>");
    const object = await get(`/users/mira/statuses/${post.id}`, "application/activity+json");
    expect(JSON.parse(object.text)).toMatchObject({ type: "Note" });
    expect((await get("/nowhere")).status).toBe(404);
  });
});
