import { beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import { checkSources } from "#lib/collect/check-sources.ts";
import { fetchStream } from "#lib/collect/fetch-streams.ts";
import { authorNamer } from "#lib/fediverse/hosts.ts";
import type { HostRequest } from "#lib/fediverse/guarded-fetch.ts";
import { normaliseStatus } from "#lib/fediverse/normalise-status.ts";
import { enqueuePosts, wantSourceChecks } from "#lib/queue/queue-entries.ts";
import { status } from "#tests/integration/streams/ingest-samples.ts";
import { makeStream } from "#tests/setup/factories.ts";
import { RemoteError } from "#lib/fediverse/remote-error.ts";

const { home, accounts } = await vi.hoisted(async () =>
  (await import("./simulated-hosts.ts")).startHosts({
    home: { posts: 0 },
    accounts: { posts: 0, seed: "other" },
  }),
);
beforeEach(async () => {
  await db.stream.deleteMany();
  await db.post.deleteMany();
  await db.host_state.deleteMany();
  for (const { control } of [home, accounts]) {
    control.clearFaults();
    control.posts.length = 0;
    control.accountDomain = null;
    control.webfinger.clear();
  }
});

const HOST = "social.example.org";

/** Answers by host and account; everything else is 404. `null`: no connection. */
function network(pages: Record<string, object | null>): HostRequest & { asked: string[] } {
  const asked: string[] = [];
  const request: HostRequest = (url) => {
    const { host, searchParams } = new URL(url);
    asked.push(host);
    const page = pages[`${host} ${searchParams.get("resource")?.replace("acct:", "")}`];
    if (pages[host] === null)
      return Promise.reject(new RemoteError("unreachable", `${host} refused the connection.`));
    const body = Buffer.from(JSON.stringify(page ?? { error: "Record not found" }));
    return Promise.resolve({ status: page === undefined ? 404 : 200, headers: {}, body, url });
  };
  return Object.assign(request, { asked });
}

const actor = (account: string, host = HOST) => ({
  subject: `acct:${account}`,
  links: [{ rel: "self", type: "application/activity+json", href: `https://${host}/users/ana` }],
});
/** A page of one post, as its own server or another one shows it: the author, or the reason of the drop. */
async function authorOn(request: HostRequest, acct: string, host = HOST): Promise<string> {
  const raw = { ...status({}, HOST), account: { ...status({}, HOST).account, acct, username: acct } };
  const entry = normaliseStatus(raw, { host, now: new Date() });
  const [result] = await authorNamer(request)([entry]);
  return result?.ok === true ? result.post.author.account : (result?.reason ?? "");
}
const SPLIT = {
  [`${HOST} ana@${HOST}`]: actor("ana@example.org"),
  "example.org ana@example.org": actor("ana@example.org"),
};

describe("the domain of a server's accounts", () => {
  test("is the one that its WebFinger names, when WebFinger there names an actor on the server", async () => {
    const request = network(SPLIT);
    expect(await authorOn(request, "ana")).toBe("@ana@example.org");
    expect(await authorOn(request, "bob")).toBe("@bob@example.org");
    expect(await authorOn(request, "ana@example.org")).toBe("@ana@example.org");
    expect(request.asked).toEqual([HOST, "example.org"]);
    expect(await db.post.count()).toBe(0);
  });

  test.each([
    [
      "names an actor of another server",
      { "victim.example ana@victim.example": actor("ana@victim.example", "victim.example") },
    ],
    ["does not know the account", {}],
    ["answers about another account", { "victim.example ana@victim.example": actor("eve@other.example") }],
    [
      "names an actor on a subdomain",
      { "victim.example ana@victim.example": actor("ana@victim.example", `a.${HOST}`) },
    ],
  ])("stays the host when WebFinger of the stated domain %s", async (_name, pages) => {
    const request = network({ [`${HOST} ana@${HOST}`]: actor("ana@victim.example"), ...pages });
    expect(await authorOn(request, "ana")).toBe(`@ana@${HOST}`);
    expect(await authorOn(request, "ana@victim.example")).toBe("hosts_disagree");
    expect(request.asked).toContain("victim.example");
  });

  test("is kept while a server fails, or does not know the account", async () => {
    await authorOn(network(SPLIT), "ana");
    const failing: Record<string, object | null>[] = [
      { [HOST]: null },
      { ...SPLIT, "example.org": null },
      {},
    ];
    for (const pages of failing) {
      await db.$executeRaw`UPDATE host_state SET domain_at = now() - interval '2 days'`;
      const request = network(pages);
      expect(await authorOn(request, "ana")).toBe("@ana@example.org");
      expect(request.asked.length).toBeGreaterThan(0);
    }
  });

  test("decides about a copy with an author of an unrelated domain, asked for ten servers of a fetch", async () => {
    const copy = (request: HostRequest, acct: string) => authorOn(request, acct, "elsewhere.example");
    const unrelated = {
      [`${HOST} ana@${HOST}`]: actor("ana@people.example"),
      "people.example ana@people.example": actor("ana@people.example"),
    };
    expect(await copy(network({ [HOST]: null }), "ana@people.example")).toBe("author_unproven");
    expect(await copy(network(unrelated), "ana@people.example")).toBe("@ana@people.example");
    expect(await copy(network(unrelated), "ana@evil.example")).toBe("hosts_disagree");
    const request = network({});
    const page = Array.from({ length: 12 }, (_, n) => {
      const raw = status({ account: { acct: "ana@evil.example" } }, `h${n}.example`);
      return normaliseStatus(raw, { host: "elsewhere.example", now: new Date() });
    });
    const results = await authorNamer(request)(page);
    expect(results.map((each) => (each.ok ? "ok" : each.reason))).toEqual([
      ...Array<string>(10).fill("hosts_disagree"),
      ...Array<string>(2).fill("author_unproven"),
    ]);
    expect(request.asked).toHaveLength(10);
  });
});

test("authors of a split-domain server keep their handle in a fetch and in a source check", async () => {
  home.control.accountDomain = accounts.host;
  accounts.control.webfinger.set(`mira@${accounts.host}`, `${home.origin}/users/mira`);
  home.control.addPost({ author: home.control.findAuthor("mira") });
  const stream = await makeStream({ hashtag: "cats", instance: home.host });
  expect((await fetchStream(stream.id, { limit: 100 })).dropped).toEqual({});
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
  expect(await checkSources({ deadline: new Date(Date.now() + 20_000) })).toEqual({ checked: 1 });
  expect(await db.queue_entry.findUnique({ where: { post_id: id } })).toMatchObject({ holds: 0 });
  expect(await db.post.findMany()).toMatchObject([
    { author_account: `@mira@${accounts.host}`, instance: accounts.host, from_home: true },
  ]);
});
