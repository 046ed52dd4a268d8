import { afterEach, describe, expect, it } from "vitest";
import { detectSoftware } from "./detect-software.ts";
import { governedRequest, memoryHostStates } from "./governed-request.ts";
import { guardedFetch, MAX_JSON_BYTES } from "./guarded-fetch.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { SourceFailure } from "./source-failure.ts";
import { hashtagSource } from "./hashtag-source.ts";
import type { HashtagSource, PageCursor, TimelinePage } from "./timeline.ts";
import { startSimulatedServer } from "#tests/simulated-server/server.ts";
import type { SimulatedServer, Software } from "#tests/simulated-server/server.ts";

const HOUR = 3_600_000;
const running: SimulatedServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** A server with ordinary posts, and one post for each of `lengths` between them, all an hour apart. */
async function start(software: Software, lengths: number[], ordinary = 30) {
  const server = await startSimulatedServer({ software, posts: 0, hashtags: ["cats"] });
  running.push(server);
  const author = server.control.people.find((one) => one.host === null && !one.moved && !one.suspended);
  if (author === undefined) throw new Error("no author");
  const body = (length: number) => ({ [software === "misskey" ? "text" : "content"]: "x".repeat(length) });
  const half = Math.floor(ordinary / 2);
  const all = [...Array<number>(half).fill(9), ...lengths, ...Array<number>(ordinary - half).fill(9)];
  all.forEach((length, n) => {
    const created_at = new Date(Date.now() - (all.length - n) * HOUR);
    server.control.addPost({
      created_at,
      author,
      hashtags: ["cats"],
      visibility: "public",
      raw: body(length),
    });
  });
  return server;
}

async function sourceOf(
  server: SimulatedServer,
  request: HostRequest = guardedFetch,
): Promise<HashtagSource> {
  const allowedOrigins = [server.origin];
  const software = await detectSoftware(server.host, guardedFetch, { allowedOrigins });
  const { token } = server.control;
  return hashtagSource({ host: server.host, hashtag: "cats", software, token, request, allowedOrigins });
}

/** Reads from the newest page backwards, or from the oldest post forwards. */
async function readAll(source: HashtagSource, from: string | null = null): Promise<TimelinePage[]> {
  const pages: TimelinePage[] = [];
  for (let at = from; ;) {
    const cursor: PageCursor =
      from !== null && at !== null ? { newer_than: at } : at === null ? null : { older_than: at };
    const page = await source.fetchPage(cursor);
    pages.push(page);
    const next = from === null ? page.older : page.newer;
    if (next === null || next === at) return pages;
    expect(pages.length).toBeLessThan(60);
    at = next;
  }
}

const idsOf = (pages: readonly TimelinePage[]) =>
  pages.flatMap((page) => page.posts.flatMap((entry) => (entry.ok ? entry.post.remote_id : [])));
const dropsOf = (pages: readonly TimelinePage[]) =>
  pages.flatMap((page) => page.posts.flatMap((entry) => (entry.ok ? [] : entry.reason)));

const GIANT = MAX_JSON_BYTES + 1_000;
const ALL: Software[] = ["mastodon", "gotosocial", "pleroma", "pixelfed", "misskey"];

describe.each(ALL)("%s", (software) => {
  it("is read past posts that together exceed the limit of an answer", async () => {
    const server = await start(software, Array<number>(23).fill(99_000));
    const pages = await readAll(await sourceOf(server));
    const ids = server.control.posts.map((post) => post.id);
    expect([...idsOf(pages)].sort()).toEqual([...ids].sort());
  });

  it("is read past single posts above the limit, each of which is dropped once", async () => {
    const server = await start(software, [GIANT, 9, GIANT, GIANT]);
    const pages = await readAll(await sourceOf(server));
    expect(idsOf(pages)).toHaveLength(31);
    expect(dropsOf(pages)).toEqual(["too_large", "too_large", "too_large"]);
  });
});

describe.each(ALL.filter((software) => software !== "pixelfed"))("%s", (software) => {
  it("is read forward past long posts and posts above the limit", async () => {
    const server = await start(software, [...Array<number>(23).fill(99_000), GIANT, GIANT]);
    const first = server.control.posts[0]?.id ?? "";
    const pages = await readAll(await sourceOf(server), first);
    expect(idsOf(pages)).toHaveLength(52);
    expect(new Set(idsOf(pages)).size).toBe(52);
    expect(dropsOf(pages)).toEqual(["too_large", "too_large"]);
  });
});

describe("a page above the limit", () => {
  it("is asked for again with 20, 10, 5 and 1 posts, and later pages grow again", async () => {
    const server = await start("mastodon", [GIANT], 60);
    await readAll(await sourceOf(server));
    const limits = server.control.requests.flatMap(({ path }) => /\blimit=(\d+)/.exec(path)?.[1] ?? []);
    expect(limits.slice(0, 2)).toEqual(["40", "20"]);
    expect(limits).toContain("1");
    expect(limits.at(-1)).toBe("40");
  });

  it("names the address of the skipped post", async () => {
    const server = await start("mastodon", [GIANT], 0);
    const page = await (await sourceOf(server)).fetchPage(null);
    const [post] = server.control.posts;
    expect(page).toMatchObject({
      posts: [{ ok: false, reason: "too_large", uri: expect.stringContaining(post?.id ?? "?") as string }],
      older: post?.id,
      newer: post?.id,
    });
  });

  it.each([true, false])(
    "is passed when the id stands behind the text, with page links: %s",
    async (links) => {
      const server = await start("mastodon", [GIANT], 2);
      server.control.links = links;
      const source = await sourceOf(server, async (url, options) => {
        const response = await guardedFetch(url, options);
        // The beginning of a status that starts with its text.
        if (options?.cutBody === true && response.isCut === true)
          return { ...response, body: Buffer.from(`[{"content":"${"x".repeat(MAX_JSON_BYTES)}`) };
        return response;
      });
      const read = readAll(source);
      if (links) expect(idsOf(await read)).toHaveLength(2);
      else await expect(read).rejects.toMatchObject({ kind: "too_large", gateway_status: 502 });
    },
  );

  it("of a server that ignores the limit brings the posts before the cut", async () => {
    const server = await start("pleroma", Array<number>(30).fill(99_000), 30);
    const source = await sourceOf(server, (url, options) =>
      guardedFetch(url.replace(/limit=\d+/, "limit=40"), options),
    );
    expect(new Set(idsOf(await readAll(source))).size).toBe(60);
  });

  it("does not count as a failure of the host, but its rate limit is noted", async () => {
    const server = await start("mastodon", [GIANT], 0);
    const store = memoryHostStates();
    const source = await sourceOf(server, governedRequest({ store }));
    await source.fetchPage(null);
    expect(server.control.hits("/timelines/tag/")).toBe(5);
    expect(store.states.get(server.host)).toMatchObject({ failures: 0, wait_reason: null, last_status: 200 });
    expect(store.states.get(server.host)?.rate_remaining).toBeLessThan(300);
  });

  it("remains a failure when nothing of it can be read", async () => {
    const server = await start("mastodon", [], 3);
    server.control.fail({ kind: "endless" });
    const failure = await (await sourceOf(server)).fetchPage(null).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SourceFailure);
    expect(failure).toMatchObject({ kind: "too_large", message: `${server.host} sent more than 2 MiB.` });
  });
});

describe("profiles of Misskey above the limit", () => {
  it("drop the posts of their authors only", async () => {
    const server = await startSimulatedServer({ software: "misskey", posts: 40, hashtags: ["cats"] });
    running.push(server);
    const [author] = server.control.posts.map((post) => post.author);
    const before = idsOf(await readAll(await sourceOf(server)));
    if (author !== undefined) author.bio = "x".repeat(GIANT);
    const pages = await readAll(await sourceOf(server));
    const ofOthers = server.control.posts.filter((post) => post.author !== author).map((post) => post.id);
    expect(idsOf(pages)).toEqual(before.filter((id) => ofOthers.includes(id)));
    expect(dropsOf(pages)).toContain("too_large");
  });
});
