import { describe, expect, it } from "vitest";
import { remoteFailure as failureOf, startRemote as start } from "#tests/setup/remote-servers.ts";
import { faults } from "#tests/simulated-server/server.ts";
import type { Fault, SimPost, SimulatedServer, Software } from "#tests/simulated-server/server.ts";
import { detectSoftware } from "./detect-software.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { hashtagSource, readLinks, type HashtagSource, type TimelinePage } from "./hashtag-source.ts";
import type { NormalisedPost } from "./normalise-status.ts";
import type { RemoteErrorKind } from "./remote-error.ts";

async function sourceOf({ host, control }: SimulatedServer, hashtag = "cats") {
  const software = await detectSoftware(host, guardedFetch);
  return hashtagSource({ host, software, token: control.token, request: guardedFetch }, hashtag);
}

async function readBack(source: HashtagSource): Promise<TimelinePage[]> {
  const pages: TimelinePage[] = [];
  for (let cursor: string | null = null; ;) {
    const page: TimelinePage = await source(cursor);
    pages.push(page);
    if (page.older === null) return pages;
    expect(pages.length).toBeLessThan(50);
    cursor = page.older;
  }
}

function postsOf(pages: TimelinePage[]): NormalisedPost[] {
  return pages.flatMap((page) => page.posts.flatMap((result) => (result.ok ? [result.post] : [])));
}

/** The source of a Mastodon-like server whose answers are the given text for each `max_id`. */
const answering = (answer: (from: string | null) => { body: string; link?: string }) =>
  hashtagSource(
    {
      host: "a.example",
      software: { name: null, family: "mastodon" },
      token: null,
      request: (url) => {
        const { body, ...headers } = answer(new URL(url).searchParams.get("max_id"));
        return Promise.resolve({ status: 200, headers, body: Buffer.from(body), url });
      },
    },
    "cats",
  );

const ALL: Software[] = ["mastodon", "gotosocial", "pleroma", "pixelfed", "misskey"];

it("reads a page of 40 long posts, and fails at an endless one", async () => {
  const server = await start({ posts: 0 });
  const author = { ...server.control.findAuthor("mira"), host: null };
  for (let n = 0; n < 40; n++)
    server.control.addPost({ author, hashtags: ["cats"], raw: { content: "x".repeat(99_000) } });
  const source = await sourceOf(server);
  expect(postsOf([await source(null)])).toHaveLength(40);
  server.control.fail({ kind: "endless" });
  const failure = await failureOf(source(null));
  expect(failure).toMatchObject({ kind: "too_large", message: `${server.host} sent more than 8 MiB.` });
});

describe.each(ALL)("%s", (software) => {
  it("returns each public post once, with all its fields, when read backwards", async () => {
    const server = await start({ software, posts: 130 });
    const family = software === "misskey" ? "misskey" : "mastodon";
    expect(await detectSoftware(server.host, guardedFetch)).toMatchObject({
      name: software,
      family,
    });
    const pages = await readBack(await sourceOf(server));
    const { requests, token } = server.control;
    expect(requests.every((request) => /^Sluice\//.test(request.user_agent ?? ""))).toBe(true);
    expect(server.control.hits("/timelines/tag/") + server.control.hits("search-by-tag")).toBe(pages.length);
    expect(requests.at(-1)?.authorization).toBe(token === null ? null : `Bearer ${token}`);
    const found = postsOf(pages);
    const isPublic = (post: SimPost) => post.visibility === "public" && post.boost_of === null;
    const wanted = server.control.posts.filter(isPublic).map((post) => post.id);
    expect(found.map((post) => post.remote_id).sort()).toEqual(wanted.sort());
    const byId = new Map(found.map((post) => [post.remote_id, post]));
    for (const original of server.control.posts) {
      const post = byId.get(original.id);
      if (!post) continue;
      expect(post.created_at).toBe(original.created_at.toISOString());
      expect(post.hashtags_folded).toContain("cats");
      expect(post.from_home).toBe(original.author.host === null);
      expect(post.author.account).toBe(`@${original.author.username}@${original.author.host ?? server.host}`);
      expect(post.author.is_bot).toBe(original.author.bot);
      expect(post.instance).toBe(original.author.host ?? server.host);
      for (const paragraph of original.paragraphs) expect(post.plain_text).toContain(paragraph);
      if (original.kind !== "missing_fields") {
        expect(post.media.map((media) => media.description)).toEqual(
          original.media.map((media) => media.alt),
        );
        expect(post.spoiler_text).toBe(original.spoiler);
        expect(post.poll?.options.map((option) => option.title)).toEqual(
          original.poll?.options.map((option) => option.title),
        );
      }
      if (original.author.username === "quiet_ann") expect(post.author.tags).toContain("nobot");
    }
    expect(found.some((post) => post.quote !== null)).toBe(
      ["mastodon", "pleroma", "misskey"].includes(software),
    );
  });

  it("returns later posts above the former ones", async () => {
    const server = await start({ software, posts: 60 });
    const source = await sourceOf(server);
    await source(null);
    const arrived = server.control
      .arrive(90)
      .filter((post) => post.visibility === "public" && post.boost_of === null);
    const found = new Set(postsOf(await readBack(source)).map((post) => post.remote_id));
    for (const post of arrived) expect([post.kind, found.has(post.id)]).toEqual([post.kind, true]);
  });
});

it.each(["猫", "straße", "кошки", "قطط", "c/d", "a?b", "100%"])(
  "the hashtag %s reaches the server unchanged",
  async (hashtag) => {
    const server = await start({ posts: 2, hashtags: [hashtag] });
    const page = await (await sourceOf(server, hashtag))(null);
    expect(page.posts.length).toBe(2);
  },
);

describe("deviating servers", () => {
  it("may send JSON with a byte-order mark", async () => {
    const server = await start();
    const source = await sourceOf(server);
    server.control.failNext({ kind: "status", status: 200, body: "\ufeff[]" });
    expect((await source(null)).posts).toEqual([]);
    server.control.failNext({
      kind: "status",
      status: 422,
      body: '\ufeff{"error":"This method requires an authenticated user"}',
    });
    expect((await failureOf(source(null))).kind).toBe("needs_token");
  });

  it("are paged by the last id without a Link header, and end without a next link", async () => {
    const server = await start({ posts: 100 });
    server.control.links = false;
    expect((await readBack(await sourceOf(server))).length).toBeGreaterThan(2);
    expect(readLinks(undefined)).toBeNull();
    expect(readLinks('<https://a.example/api?min_id=9>; rel="prev"')).toEqual({ older: null, newer: "9" });
    expect(readLinks('<https://a.example/x?max_id=5>; rel=next, </y?since_id=7>; rel="prev"')).toEqual({
      older: "5",
      newer: "7",
    });
    expect(readLinks("nonsense <<>>; rel=next")).toBeNull();
    // Other relations, and positions that cannot be read, say nothing about the end.
    expect(readLinks('<https://blog.example/wp-json/>; rel="https://api.w.org/"')).toBeNull();
    expect(readLinks("</style.css>; rel=preload; as=style")).toBeNull();
    expect(readLinks('</page/2>; rel="next", </page/0>; rel="prev"')).toBeNull();
    expect(readLinks('</?page=2>; rel="next", </?min_id=9>; rel="prev"')).toBeNull();
  });

  it("go on behind an empty page with a next link", async () => {
    const asked: (string | null)[] = [];
    const nextOf = new Map([
      [null, "9"],
      ["9", "8"],
      ["8", "8"],
    ]);
    const source = () =>
      answering((from) => {
        asked.push(from);
        const link = `</api?max_id=${nextOf.get(from)}>; rel="next"`;
        return { link, body: from === "8" ? JSON.stringify([{ id: "7" }]) : "[]" };
      });
    expect((await source()(null)).posts).toHaveLength(1);
    expect(asked).toEqual([null, "9", "8"]);
    expect(await source()("9")).toMatchObject({ posts: [], older: "8" });
    expect(await source()("8")).toMatchObject({ older: null });
  });

  it("end the walk when their pages form a loop", async () => {
    const page = (ids: string[]) => JSON.stringify(ids.map((id) => ({ id })));
    const source = (answers: Record<string, string>) =>
      answering((from) => ({ body: answers[from ?? ""] ?? "[]" }));
    const circle = source({ "": page(["3", "2"]), "2": page(["1"]), "1": page(["3", "2"]) });
    const olders: (string | null)[] = [];
    for (const cursor of [null, "2", "1"]) olders.push((await circle(cursor)).older);
    expect(olders).toEqual(["2", "1", null]);
    const back = source({ "5": page(["7", "6", "5"]) });
    expect((await back("5")).older).toBeNull();
  });

  it("lose only a broken status, not its page", async () => {
    const server = await start({ posts: 5 });
    server.control.addPost({ raw: { account: null, content: 5, tags: "cats" } });
    server.control.addPost({ raw: { uri: "https://victim.example/1" } });
    const page = await (await sourceOf(server))(null);
    expect(page.posts.map((result) => (result.ok ? "ok" : result.reason)).slice(0, 2)).toEqual([
      "hosts_disagree",
      "no_author",
    ]);
    expect(page.posts.slice(2).some((result) => result.ok)).toBe(true);
  });

  it("that refuse Misskey profiles yield posts without a profile", async () => {
    const server = await start({ software: "misskey", posts: 10 });
    server.control.fail(faults.forbidden(), "account");
    const found = postsOf([await (await sourceOf(server))(null)]);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((post) => !post.author.profile_seen)).toBe(true);
    server.control.clearFaults();
    server.control.fail(faults.serverError(), "account");
    expect((await failureOf((await sourceOf(server))(null))).kind).toBe("server_error");
  });
});

it("treats a Misskey profile without a bio field as unread", async () => {
  const user = { id: "u1", username: "mira", host: null };
  const note = { id: "9abc", createdAt: new Date().toISOString(), text: "#cats", visibility: "public", user };
  const pageOf = async (profile: object) => {
    const request: HostRequest = (url) => {
      const body = Buffer.from(JSON.stringify(url.endsWith("/users/show") ? [profile] : [note]));
      return Promise.resolve({ status: 200, headers: {}, body, url });
    };
    const software = { name: "misskey", family: "misskey" } as const;
    const source = hashtagSource({ host: "a.example", software, token: null, request }, "cats");
    return postsOf([await source(null)]).map((post) => post.author.profile_seen);
  };
  expect(await pageOf(user)).toEqual([false]);
  expect(await pageOf({ ...user, description: null })).toEqual([true]);
});

describe("failures", () => {
  const odd: Fault = { kind: "status", status: 422, body: '{"error":"odd"}' };
  const loop = faults.redirect("/api/v1/timelines/tag/cats");
  const cases: [string, Fault, RemoteErrorKind, RegExp][] = [
    ["401", faults.unauthorized(), "needs_token", /a token is needed/],
    ["403", faults.forbidden(), "needs_token", /a token is needed/],
    ["422 that requires a user", faults.needsUser(), "needs_token", /a token is needed/],
    ["422 for another reason", odd, "unexpected", /unexpected/],
    ["404", faults.notFound(), "not_found", /does not know the hashtag #cats/],
    ["429", faults.tooManyRequests(60), "rate_limited", /asked too often/],
    ["500", faults.serverError(), "server_error", /in trouble \(500\)/],
    ["503", faults.unavailable(60), "server_error", /in trouble \(503\)/],
    ["HTML with 200", { kind: "html" }, "not_compatible", /a web page/],
    ["broken JSON", { kind: "invalid_json" }, "not_compatible", /not JSON/],
    ["another shape", { kind: "wrong_shape" }, "not_compatible", /no timeline/],
    ["a cut connection", { kind: "drop" }, "unreachable", /broke off/],
    ["the metadata service", faults.redirect("http://169.254.169.254/"), "refused", /not a public address/],
    ["a redirect loop", loop, "not_compatible", /redirects/],
  ];
  it.each(cases)("%s", async (name, fault, kind, sentence) => {
    const server = await start({ posts: 3 });
    const source = await sourceOf(server);
    server.control.fail(fault);
    const failure = await failureOf(source(null));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(sentence);
    expect(failure.message).toMatch(/^[^.]*[^ ].*\.$/);
    expect(failure.message).toContain(kind === "refused" ? "169.254" : server.host);
    const wait = (failure.retry_at?.getTime() ?? 0) - Date.now();
    expect(wait > 50_000).toBe(["429", "503"].includes(name));
  });
});

describe("detectSoftware", () => {
  const detect = (server: SimulatedServer) => detectSoftware(server.host, guardedFetch);

  it("treats a host without usable nodeinfo like Mastodon", async () => {
    const server = await start({ posts: 1 });
    for (const fault of [
      faults.notFound(),
      { kind: "html" },
      { kind: "wrong_shape" },
      faults.forbidden(),
    ] as Fault[]) {
      server.control.fail(fault, "nodeinfo");
      expect(await detect(server)).toEqual({ name: null, family: "mastodon" });
    }
  });

  it.each<[string | null, string, string, (url: string) => string]>([
    [null, "the address of another host", "https://b.example/nodeinfo/2.1", (url) => url],
    [
      null,
      "a redirect to another host",
      "https://a.example/nodeinfo/2.1",
      (url) => url.replace("a.example/nodeinfo", "b.example/nodeinfo"),
    ],
    ["misskey", "an address without encryption", "http://a.example/nodeinfo/2.1", (url) => url],
    ["misskey", "a relative address", "/nodeinfo/2.1", (url) => url],
  ])("reads %s of %s", async (name, _what, href, finalUrl) => {
    const links = [{ rel: "http://nodeinfo.diaspora.software/ns/schema/2.1", href }];
    const request: HostRequest = (url) => {
      const json = url.endsWith("/.well-known/nodeinfo") ? { links } : { software: { name: "misskey" } };
      const body = Buffer.from(JSON.stringify(json));
      expect(url).toMatch(/^https:/);
      return Promise.resolve({ status: 200, headers: {}, body, url: finalUrl(url) });
    };
    expect(await detectSoftware("a.example", request)).toEqual({ name, family: name ?? "mastodon" });
  });
});
