import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "#lib/db.ts";
import type { DetectedSoftware } from "#lib/fediverse/detect-software.ts";
import { FetchFailure } from "#lib/fediverse/fetch-failure.ts";
import type { HostRequest } from "#lib/fediverse/guarded-fetch.ts";
import { hostDomain } from "#lib/hosts/host-domain.ts";
import { fetchStream } from "#lib/streams/fetch-streams.ts";
import { checkSources } from "#lib/sources/check-sources.ts";
import { enqueuePosts, wantSourceChecks } from "#lib/queue/queue-entries.ts";
import { makePost, makeStream } from "#tests/setup/factories.ts";

const PUBLIC = "https://social.shop.example";

const { home, accounts, hidden } = await vi.hoisted(async () => {
  const { startSimulatedServer } = await import("#tests/simulated-server/server.ts");
  const home = await startSimulatedServer({ posts: 0, hashtags: ["cats"] });
  const accounts = await startSimulatedServer({ posts: 0, hashtags: ["cats"], seed: "other" });
  const hidden = await startSimulatedServer({
    posts: 0,
    hashtags: ["cats"],
    software: "gotosocial",
    publicOrigin: "https://social.shop.example",
  });
  hidden.control.token = null;
  process.env.ALLOWED_PRIVATE_HOSTS = [home, accounts, hidden].map((each) => each.origin).join(",");
  return { home, accounts, hidden };
});
afterAll(() => Promise.all([home.close(), accounts.close(), hidden.close()]));
beforeEach(async () => {
  await db.stream.deleteMany();
  await db.post.deleteMany();
  await db.host_state.deleteMany();
  await db.account_host.deleteMany();
  await db.handle_change.deleteMany();
  for (const { control } of [home, accounts, hidden]) {
    control.clearFaults();
    control.posts.length = 0;
    control.instance = {};
    control.accountDomain = null;
    control.webfinger.clear();
  }
});

/** Approves the only post, eight hours ago, so that its own server is to be asked. */
async function approveLongAgo(): Promise<number> {
  const { id } = await db.post.findFirstOrThrow();
  const at = new Date(Date.now() - 8 * 3_600_000);
  await db.post.update({
    where: { id },
    data: { approved: true, reviewed_at: at, approved_at: at, fetched_at: at, source_checked_at: null },
  });
  await db.$transaction(async (tx) => {
    await enqueuePosts(tx, [id], at);
    await wantSourceChecks(tx, [id]);
  });
  return id;
}

const HOST = "social.example.org";
const MASTODON: DetectedSoftware = { name: "mastodon", family: "mastodon" };

/** Answers by address; everything else is 404. `null`: no connection. */
function network(pages: Record<string, object | null>): HostRequest & { asked: string[] } {
  const asked: string[] = [];
  const request: HostRequest = (url) => {
    asked.push(url);
    const { host, pathname, searchParams } = new URL(url);
    const resource = searchParams.get("resource");
    const page = pages[resource === null ? host + pathname : `${host} ${resource}`] ?? pages[host];
    if (page === null || pages[host] === null)
      return Promise.reject(new FetchFailure("network", `${host} refused the connection.`));
    const found = page !== undefined;
    const body = Buffer.from(JSON.stringify(found ? page : { error: "Record not found" }));
    return Promise.resolve({ status: found ? 200 : 404, headers: {}, body, url });
  };
  return Object.assign(request, { asked });
}

const actor = (account: string, href: string) => ({
  subject: `acct:${account}`,
  links: [{ rel: "self", type: "application/activity+json", href }],
});
const domainOf = (request: HostRequest, software = MASTODON) => hostDomain(HOST, software, { request });
const none = { domain: HOST, home: HOST };

describe("the domain of a server", () => {
  test("is the declared one when its WebFinger names an actor on the asked host", async () => {
    const request = network({
      [`${HOST}/api/v2/instance`]: { domain: "example.org", contact: { account: { username: "ana" } } },
      "example.org acct:ana@example.org": actor("ana@example.org", `https://${HOST}/users/ana`),
    });
    expect(await domainOf(request)).toEqual({ domain: "example.org", home: HOST });
  });

  test("is read from GoToSocial's account_domain and verified through its instance account", async () => {
    const request = network({
      [`${HOST}/api/v2/instance`]: { domain: HOST, account_domain: "example.org" },
      [`example.org acct:${HOST}@example.org`]: actor(`${HOST}@example.org`, `https://${HOST}/users/${HOST}`),
    });
    expect(await domainOf(request, { ...MASTODON, name: "gotosocial" })).toEqual({
      domain: "example.org",
      home: HOST,
    });
  });

  test("is found by WebFinger of one account when the server declares its web host", async () => {
    const request = network({
      [`${HOST}/api/v1/instance`]: { uri: `https://${HOST}` },
      [`${HOST} acct:ana@${HOST}`]: actor("ana@example.org", `https://${HOST}/users/ana`),
      "example.org acct:ana@example.org": actor("ana@example.org", `https://${HOST}/users/ana`),
    });
    await makePost({ author_username: "ana", instance: HOST });
    const names = await domainOf(request, { ...MASTODON, name: "akkoma" });
    expect(names.domain).toBe("example.org");
  });

  test.each([
    [
      "names an actor of another server",
      {
        "victim.example acct:eve@victim.example": actor(
          "eve@victim.example",
          "https://victim.example/users/eve",
        ),
      },
    ],
    ["does not know the account", { "victim.example/nothing": {} }],
    [
      "answers about another account",
      { "victim.example acct:eve@victim.example": actor("eve@other.example", `https://${HOST}/users/eve`) },
    ],
    [
      "names an actor on a subdomain of the host",
      {
        "victim.example acct:eve@victim.example": actor("eve@victim.example", `https://a.${HOST}/users/eve`),
      },
    ],
    ["cannot be reached", { "victim.example": null }],
  ])("stays the host when WebFinger of the declared domain %s", async (_name, pages) => {
    const request = network({
      [`${HOST}/api/v2/instance`]: { domain: "victim.example", contact: { account: { username: "eve" } } },
      ...pages,
    });
    expect(await domainOf(request)).toEqual(none);
    expect(request.asked.some((url) => url.startsWith("https://victim.example/"))).toBe(true);
    expect(await db.handle_change.count({ where: { host: HOST } })).toBe(0);
  });

  test("is asked once a day and kept while the server or the domain fails", async () => {
    const good = network({
      [`${HOST}/api/v2/instance`]: { domain: "example.org", contact: { account: { username: "ana" } } },
      "example.org acct:ana@example.org": actor("ana@example.org", `https://${HOST}/users/ana`),
    });
    await domainOf(good);
    const silent = network({ [HOST]: null, "example.org": null });
    expect((await domainOf(silent)).domain).toBe("example.org");
    expect(silent.asked).toEqual([]);
    for (const down of [HOST, "example.org"]) {
      await db.$executeRaw`UPDATE host_state SET domain_at = now() - interval '2 days'`;
      const request = network({
        [`${HOST}/api/v2/instance`]: { domain: "example.org", contact: { account: { username: "ana" } } },
        [down]: null,
      });
      expect((await domainOf(request)).domain).toBe("example.org");
      expect(request.asked.length).toBeGreaterThan(0);
      expect((await domainOf(request)).domain).toBe("example.org");
    }
  });
});

const post = (author: string) => home.control.addPost({ author: home.control.findAuthor(author) });
const fetchHome = async (server = home) => {
  const stream =
    (await db.stream.findFirst({ where: { instance: server.host } })) ??
    (await makeStream({ hashtag: "cats", instance: server.host }));
  return fetchStream(stream.id, { limit: 100 });
};
const handles = async () =>
  (await db.post.findMany({ orderBy: { id: "asc" } })).map((each) => each.author_account).sort();

describe("an author whose domain is unrelated to the post's host", () => {
  beforeEach(() => {
    home.control.instance = { domain: accounts.host, contact: { account: { username: "mira" } } };
    for (const name of ["mira", "jonas"])
      accounts.control.webfinger.set(`${name}@${accounts.host}`, `${home.origin}/users/${name}`);
  });

  test("is accepted when WebFinger names an actor on that host, and asked about once", async () => {
    post("mira");
    post("jonas");
    expect((await fetchHome()).dropped).toEqual({});
    expect(await handles()).toEqual([`@jonas@${accounts.host}`, `@mira@${accounts.host}`]);
    const asked = accounts.control.hits("webfinger");
    post("mira");
    await fetchHome();
    expect(await db.post.count()).toBe(3);
    expect(accounts.control.hits("webfinger")).toBe(asked);
  });

  test("is dropped with a reason when WebFinger denies it", async () => {
    accounts.control.webfinger.set(`jonas@${accounts.host}`, `${accounts.origin}/users/jonas`);
    post("jonas");
    post("luz");
    expect((await fetchHome()).dropped).toEqual({ hosts_disagree: 2 });
    expect(await handles()).toEqual([]);
  });

  test("is dropped for now while the account's server fails, and comes with a later fetch", async () => {
    post("mira");
    await fetchHome();
    post("jonas");
    accounts.control.fail({ kind: "status", status: 503 }, "all");
    expect((await fetchHome()).dropped).toEqual({ author_unproven: 1 });
    accounts.control.clearFaults();
    await db.$executeRaw`UPDATE account_host SET due_at = now()`;
    await db.host_state.update({ where: { host: accounts.host }, data: { state: {} } });
    await fetchHome();
    expect(await handles()).toContain(`@jonas@${accounts.host}`);
  });

  test("causes at most ten requests in a fetch", async () => {
    post("mira");
    await fetchHome();
    const before = accounts.control.hits("webfinger");
    for (let n = 0; n < 14; n++) {
      const author = { ...home.control.findAuthor("mira"), username: `invented${n}` };
      home.control.addPost({ author });
    }
    const { dropped } = await fetchHome();
    expect(accounts.control.hits("webfinger") - before).toBe(10);
    expect(dropped).toEqual({ hosts_disagree: 10, author_unproven: 4 });
  });

  test("stays accepted when its post is looked at again", async () => {
    post("mira");
    await fetchHome();
    const id = await approveLongAgo();
    expect(await checkSources({ deadline: new Date(Date.now() + 20_000) })).toEqual({ checked: 1 });
    expect(await db.queue_entry.findUnique({ where: { post_id: id } })).toMatchObject({ holds: 0 });
    expect(await handles()).toEqual([`@mira@${accounts.host}`]);
  });
});

describe("a server of the allow-list with a public name", () => {
  beforeEach(() => {
    hidden.control.instance = {
      domain: "social.shop.example",
      account_domain: "shop.example",
      contact: { account: { username: "mira", url: `${PUBLIC}/@mira` } },
    };
  });
  const add = () => hidden.control.addPost({ author: hidden.control.findAuthor("mira") });

  test("brings posts under its public names when no other server answers to them", async () => {
    add();
    expect((await fetchHome(hidden)).dropped).toEqual({});
    expect(await db.post.findFirst()).toMatchObject({
      author_account: "@mira@shop.example",
      instance: "shop.example",
      from_home: true,
    });
  });

  test("is asked about its posts in place of the public name", async () => {
    const source = add();
    await fetchHome(hidden);
    hidden.control.editPost(source.id, ["Something else"]);
    const id = await approveLongAgo();
    await checkSources({ deadline: new Date(Date.now() + 20_000) });
    expect((await db.post.findUniqueOrThrow({ where: { id } })).plain_text).toContain("Something else");
  });

  test("cannot take a name that another server answers to", async () => {
    hidden.control.instance = {
      domain: home.host,
      account_domain: home.host,
      contact: { account: { username: "mira", url: `${home.origin}/@mira` } },
    };
    hidden.control.addPost({
      author: hidden.control.findAuthor("mira"),
      origin: { uri: `${home.origin}/users/mira/statuses/1`, url: `${home.origin}/@mira/1` },
    });
    await fetchHome(hidden);
    expect(await db.host_state.findUnique({ where: { host: hidden.host } })).toMatchObject({ home: null });
    expect(await db.post.findMany()).toMatchObject([{ from_home: false, instance: home.host }]);
  });
});
