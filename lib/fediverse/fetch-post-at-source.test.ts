import { describe, expect, it } from "vitest";
import { startRemote } from "#tests/setup/remote-servers.ts";
import { NOW, STATUS } from "#tests/setup/status-sample.ts";
import { addressesOf } from "#tests/simulated-server/render-status.ts";
import { faults } from "#tests/simulated-server/server.ts";
import type { Fault, SimPost, SimulatedServer, Software } from "#tests/simulated-server/server.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { homeHost, homeStatusId, fetchPostAtSource } from "./fetch-post-at-source.ts";
import type { SourceOutcome } from "./fetch-post-at-source.ts";

const start = (software: Software) => startRemote({ software, posts: 5 });

function look(
  server: SimulatedServer,
  post: SimPost,
  addresses = addressesOf(post, server),
): Promise<SourceOutcome> {
  const family = server.software === "misskey" ? ("misskey" as const) : ("mastodon" as const);
  return fetchPostAtSource({
    ...addresses,
    host: server.host,
    software: { name: server.software, family },
    token: server.control.token,
    request: guardedFetch,
  });
}

describe.each(["mastodon", "gotosocial", "pleroma", "pixelfed", "misskey"] as const)("%s", (software) => {
  it("reports edits, deletions and withdrawals", async () => {
    const server = await start(software);
    const post = server.control.addPost({ author: server.control.findAuthor("mira") });
    expect(await look(server, post)).toMatchObject({
      kind: "seen",
      post: { remote_id: post.id, edited_at: null },
    });

    server.control.editPost(post.id, ["Something else"]);
    const edited = await look(server, post);
    expect(edited).toMatchObject({
      kind: "seen",
      post: { edited_at: expect.stringMatching(/Z$/) as string },
    });
    if (edited.kind === "seen") expect(edited.post.plain_text).toContain("Something else");

    server.control.optOut("mira");
    const optedOut = await look(server, post);
    if (optedOut.kind === "seen") expect(optedOut.post.author.tags).toContain("nobot");

    post.raw = { [software === "misskey" ? "localOnly" : "local_only"]: true };
    expect((await look(server, post)).kind).toBe("withdrawn");
    post.raw = {};
    server.control.setVisibility(post.id, "unlisted");
    expect((await look(server, post)).kind).toBe("withdrawn");
    server.control.setVisibility(post.id, "private");
    expect((await look(server, post)).kind).toBe("missing");
    server.control.setVisibility(post.id, "public");
    server.control.deletePost(post.id, "missing");
    expect((await look(server, post)).kind).toBe("missing");
    server.control.deletePost(post.id, "gone");
    expect((await look(server, post)).kind).toBe("gone");
  });
});

describe("a failed check", () => {
  it.each<[string, Fault]>([
    ["403", faults.forbidden()],
    ["500", faults.serverError()],
    ["a web page", { kind: "html" }],
    ["another shape", { kind: "wrong_shape" }],
    ["a cut connection", { kind: "drop" }],
  ])("is unverifiable: %s", async (_case, fault) => {
    const server = await start("mastodon");
    const post = server.control.addPost({ author: server.control.findAuthor("mira") });
    server.control.fail(fault, "all");
    const reason = expect.stringMatching(/\.$/) as string;
    expect(await look(server, post)).toMatchObject({ kind: "unverifiable", reason });
  });

  it.each(["SIGNIN_REQUIRED", "CREDENTIAL_REQUIRED", "INVALID_PARAM", undefined])(
    "is unverifiable: Misskey's %s",
    async (code) => {
      const server = await start("misskey");
      const post = server.control.addPost({ author: server.control.findAuthor("mira") });
      const body = JSON.stringify({ error: { message: "No.", code, id: "8e75455b" } });
      server.control.fail({ kind: "status", status: 400, body }, "all");
      const sentence = code?.endsWith("_REQUIRED") ? "a token is needed" : "an unexpected answer";
      const reason = expect.stringContaining(sentence) as string;
      expect(await look(server, post)).toMatchObject({ kind: "unverifiable", reason });
    },
  );
});

describe("an answer that is not the own server's", () => {
  const uri = "https://home.example/objects/1";
  const author = "https://home.example/users/alice";
  const to = ["https://www.w3.org/ns/activitystreams#Public"];
  const note = { id: uri, type: "Note", to, attributedTo: author, content: "<p>Hi</p>" };
  const actor = { id: author, type: "Person", preferredUsername: "alice" };
  const activity = "application/activity+json; charset=utf-8";
  interface Reply {
    status?: number;
    json?: unknown;
    type?: string;
    /** After a redirect. */
    at?: string;
  }
  const answers = (
    replies: Record<string, Reply>,
    about: { url?: string; name?: string; uri?: string; token?: string } = {},
  ) =>
    fetchPostAtSource({
      uri: about.uri ?? uri,
      url: about.url ?? null,
      host: new URL(about.uri ?? uri).host,
      token: about.token ?? null,
      software: { name: about.name ?? "other", family: "mastodon" },
      now: () => NOW,
      request: (url) => {
        const missing: Reply = { status: 404, json: { error: "Record not found" } };
        const { status = 200, json = {}, type = activity, at = url } = replies[url] ?? missing;
        const body = Buffer.from(JSON.stringify(json));
        return Promise.resolve({ status, headers: { "content-type": type }, body, url: at });
      },
    });
  const both = { [uri]: { json: note }, [author]: { json: actor } };

  it("is not accepted about a status with another id", async () => {
    const { host } = new URL(STATUS.uri);
    const own = `https://${host}/users/alice/statuses/1`;
    const status = (json: object, token?: string) =>
      answers({ [`https://${host}/api/v1/statuses/1`]: { json } }, { uri: own, name: "mastodon", token });
    expect((await status({ ...STATUS, uri: own })).kind).toBe("seen");
    expect((await status(STATUS)).kind).toBe("unverifiable");
    const unstated = { ...STATUS, uri: own, visibility: undefined };
    expect((await status(unstated)).kind).toBe("seen");
    // A response to a token may be private.
    expect((await status(unstated, "t")).kind).toBe("withdrawn");
  });

  it("is not accepted about an object with another id", async () => {
    expect(await answers(both)).toMatchObject({
      kind: "seen",
      post: { plain_text: "Hi", author: { account: "@alice@home.example" } },
    });
    const others = [
      { ...both, [author]: { json: { ...actor, id: `${author}2` } } },
      { ...both, [uri]: { json: { ...note, id: `${uri}2` } } },
      { [uri]: { json: { id: `${uri}2`, type: "Tombstone" } } },
    ];
    for (const replies of others) expect((await answers(replies)).kind).toBe("unverifiable");
  });

  it("is refused after a redirect, also as a deletion", async () => {
    const at = "https://other.example/1";
    for (const reply of [
      { json: note },
      { status: 410 },
      { status: 404 },
      { json: { id: uri, type: "Tombstone" } },
    ]) {
      expect((await answers({ ...both, [uri]: { ...reply, at } })).kind).toBe("unverifiable");
    }
    expect((await answers({ ...both, [uri]: { json: note, at: "https://a.home.example/1" } })).kind).toBe(
      "unverifiable",
    );
    expect((await answers({ ...both, [author]: { json: actor, at } })).kind).toBe("unverifiable");
    const api = "https://home.example/api/v1/statuses/1";
    const url = "https://home.example/@alice/1";
    expect((await answers({ [api]: { status: 410, at } }, { url })).kind).toBe("unverifiable");
  });

  it.each([
    ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', "seen"],
    ["application/ld+json;profile=https://www.w3.org/ns/activitystreams; charset=utf-8", "seen"],
    ["Application/Activity+JSON", "seen"],
    ["application/ld+json", "unverifiable"],
    ['application/ld+json; profile="https://www.w3.org/ns/activitystreams-evil"', "unverifiable"],
    ["application/json", "unverifiable"],
    ["text/html; x=application/activity+json", "unverifiable"],
    ["", "unverifiable"],
  ])("is refused by its content type: %s is %s", async (type, kind) => {
    expect((await answers({ ...both, [uri]: { json: note, type } })).kind).toBe(kind);
    expect((await answers({ ...both, [author]: { json: actor, type } })).kind).toBe(kind);
    const tombstone = { json: { id: uri, type: "Tombstone" }, type };
    expect((await answers({ [uri]: tombstone })).kind).toBe(kind === "seen" ? "gone" : kind);
  });

  it.each(["https://home.example.evil/users/a", "https://a.home.example/users/a", "https://example/users/a"])(
    "does not name the author %s",
    async (other) => {
      const replies = {
        [uri]: { json: { ...note, attributedTo: other } },
        [other]: { json: { ...actor, id: other } },
      };
      expect((await answers(replies)).kind).toBe("unverifiable");
    },
  );

  it("is not a deletion when the id comes from an invented url", async () => {
    const api = "https://home.example/api/v1/statuses/1";
    const url = "https://home.example/@alice/1";
    for (const reply of [{ status: 410 }, { status: 404 }, { json: { ...STATUS, uri: `${uri}2` } }]) {
      expect((await answers({ ...both, [api]: reply }, { url })).kind).toBe("seen");
    }
  });

  const own = "https://home.example/users/alice/statuses/1";
  const api = "https://home.example/api/v1/statuses/1";
  const says = (error: unknown, status = 404) => ({ status, json: { error } });
  it.each<[string, string, Record<string, Reply>]>([
    ["missing", "both say so", {}],
    ["missing", "a web page at its address", { [own]: { status: 404, json: "<p>", type: "text/html" } }],
    ["missing", "its address answers no strangers", { [own]: { status: 403 } }],
    ["gone", "410 of the API", { [api]: { status: 410 } }],
    ["gone", "410 at its address", { [own]: { status: 410 } }],
    ["unverifiable", "a web page instead of the API", { [api]: { status: 404, json: "<html>" } }],
    ["unverifiable", "JSON of other software", { [api]: says({ code: "UNKNOWN_API_ENDPOINT" }) }],
    ["unverifiable", "an ill server at its address", { [own]: { status: 502 } }],
    ["unverifiable", "a web page that is there", { [own]: { json: "<html>", type: "text/html" } }],
    ["unverifiable", "another post at its address", { [own]: { json: note } }],
    ["seen", "an object that is there", { [own]: { json: { ...note, id: own } }, [author]: { json: actor } }],
  ])("is %s: %s", async (kind, _name, replies) => {
    expect((await answers(replies, { uri: own, name: "mastodon" })).kind).toBe(kind);
  });

  it("without an API id is no deletion but for 410", async () => {
    expect((await answers({})).kind).toBe("unverifiable");
    expect((await answers({ [uri]: { status: 410 } })).kind).toBe("gone");
  });

  it("asks no copy once the API has said that the post is missing", async () => {
    const replies = { [own]: { status: 401 } };
    expect(await answers(replies, { uri: own, name: "mastodon" })).toEqual({ kind: "missing" });
    const other = await answers(replies, { uri: own });
    expect(other.kind).toBe("unverifiable");
    expect(other).not.toHaveProperty("failure");
  });
});

describe("a post without an API id", () => {
  it("is checked by its ActivityPub object", async () => {
    const server = await start("pleroma");
    const post = server.control.addPost({ author: server.control.findAuthor("mira") });
    const { uri } = addressesOf(post, server);
    const ask = () => look(server, post, { uri, url: uri });
    expect(homeStatusId(uri, null)).toBeNull();
    expect(await ask()).toMatchObject({ kind: "seen", post: { uri, from_home: true } });
    server.control.optOut("mira");
    const optedOut = await ask();
    if (optedOut.kind === "seen") expect(optedOut.post.author.tags).toContain("nobot");
    server.control.setVisibility(post.id, "unlisted");
    expect((await ask()).kind).toBe("withdrawn");
    server.control.deletePost(post.id, "gone");
    expect((await ask()).kind).toBe("gone");
  });
});

describe("homeStatusId", () => {
  it.each([
    ["https://a.example/users/x/statuses/1", null, "1"],
    ["https://a.example/ap/users/11/statuses/12", null, "12"],
    ["https://a.example/objects/uu-id", "https://a.example/notice/Abc", "Abc"],
    ["https://a.example/objects/uu-id", "https://b.example/notice/Abc", null],
    ["https://a.example/objects/uu-id", null, null],
    ["https://a.example/notes/9abc", null, "9abc"],
    ["https://a.example/p/x/77", null, "77"],
    ["https://a.example/x", "https://a.example/@x/statuses/01J/", "01J"],
    ["https://a.example/notes/%E0%A4%A", null, "%E0%A4%A"],
    ["not a url", null, null],
  ])("reads %s, %s as %s", (uri, url, id) => {
    expect(homeStatusId(uri, url)).toBe(id);
  });

  it("finds no home for a uri that is not a web address", async () => {
    expect(homeHost("https://a.example:8443/x")).toBe("a.example:8443");
    expect(homeHost("tag:a.example,2026:1")).toBeNull();
    const outcome = await fetchPostAtSource({
      uri: "tag:a.example,2026:1",
      url: null,
      host: "a.example",
      token: null,
      software: { name: null, family: "mastodon" },
      request: guardedFetch,
    });
    expect(outcome.kind).toBe("unverifiable");
  });
});
