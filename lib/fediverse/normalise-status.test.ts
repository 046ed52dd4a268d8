import { describe, expect, it } from "vitest";
import { ACCOUNT, CONTEXT, NOW, STATUS } from "#tests/setup/status-sample.ts";
import { hostsBelongTogether } from "./urls.ts";
import { splitAccount } from "./account.ts";
import { normaliseStatus } from "./normalise-status.ts";
import type { NormaliseContext, NormalisedPost } from "./normalise-status.ts";

function normalised(changes: Record<string, unknown> = {}, context = CONTEXT): NormalisedPost {
  const result = normaliseStatus({ ...STATUS, ...changes }, context);
  if (!result.ok) throw new Error(`dropped: ${result.reason}`);
  return result.post;
}

function reasonOf(changes: Record<string, unknown>, context: NormaliseContext = CONTEXT): string {
  const result = normaliseStatus({ ...STATUS, ...changes }, context);
  return result.ok ? "ok" : result.reason;
}

describe("a complete status", () => {
  it("has every field mapped", () => {
    expect(normalised()).toEqual({
      uri: STATUS.uri,
      url: STATUS.url,
      remote_id: STATUS.id,
      from_home: true,
      content_html:
        '<p>Look <a href="https://mastodon.example/tags/Cats" rel="nofollow noopener noreferrer ugc" target="_blank">#Cats</a></p>',
      plain_text: "Look #Cats",
      snippet: "Look #Cats",
      author: {
        username: "alice",
        display_name: "Alice :blob:",
        account: "@alice@mastodon.example",
        url: "https://mastodon.example/@alice",
        avatar_url: "https://files.example/a.png",
        is_bot: false,
        locked: true,
        created_at: "2022-11-05T00:00:00.000Z",
        profile_seen: true,
        tags: ["cats"],
        emojis: [{ shortcode: "blob", url: "https://files.example/blob.png" }],
        noindex: false,
        indexable: false,
        discoverable: true,
        group: false,
        limited: false,
        suspended: false,
        memorial: false,
        moved: false,
        feature_approval: null,
      },
      instance: "mastodon.example",
      created_at: "2026-11-21T11:00:00.000Z",
      edited_at: null,
      visibility: "public",
      visibility_stated: true,
      language: "en",
      sensitive: true,
      spoiler_text: "pets",
      hashtags: ["cats", "Café"],
      hashtags_folded: ["cats", "cafe"],
      tags: ["cats", "cafe"],
      media: [
        {
          type: "image",
          url: "https://files.example/1.jpg",
          preview_url: "https://files.example/1_small.jpg",
          description: "A cat",
          blurhash: "UBL_:rOpGG-;~qRjWBay",
          width: 1200,
          height: 800,
        },
      ],
      boosts: 3,
      likes: 5,
      replies: 1,
      in_reply_to: null,
      is_own_thread: false,
      poll: null,
      quote: null,
      card: {
        url: "https://news.example/",
        title: "News",
        description: "d",
        type: "link",
        provider_name: "N",
        image: null,
      },
      emojis: [],
      can_announce: null,
      quote_approval: null,
    });
  });

  it.each(["acct", "username"])("needs id, uri, %s and content only", (name) => {
    const result = normaliseStatus(
      { id: 5, uri: STATUS.uri, account: { [name]: "bob" }, content: "<p>hi</p>" },
      CONTEXT,
    );
    expect(result).toMatchObject({
      ok: true,
      post: {
        remote_id: "5",
        url: null,
        visibility_stated: false,
        created_at: NOW.toISOString(),
        snippet: "hi",
        hashtags: [],
        media: [],
        boosts: 0,
        author: { account: "@bob@mastodon.example", display_name: "bob", profile_seen: false, noindex: null },
      },
    });
  });
});

describe("flags", () => {
  it.each(["false", "true", 1, {}, []])("ignore %j", (value) => {
    const flags = { bot: value, locked: value, group: value, limited: value, suspended: value };
    const { author, sensitive } = normalised({
      sensitive: value,
      account: { ...ACCOUNT, ...flags, memorial: value },
    });
    const { is_bot, locked, group, limited, suspended, memorial } = author;
    expect([sensitive, is_bot, locked, group, limited, suspended, memorial]).toEqual(Array(7).fill(false));
  });
});

describe("drop reasons", () => {
  it.each([
    ["no_uri", { uri: null }],
    ["no_uri", { uri: "" }],
    ["no_uri", { uri: 5 }],
    ["bad_uri", { uri: "tag:mastodon.example,2026:1" }],
    ["bad_uri", { uri: "javascript:alert(1)" }],
    ["bad_uri", { uri: "https:/mastodon.example/1" }],
    ["bad_uri", { uri: "https:\\\\mastodon.example/1" }],
    ["bad_uri", { uri: "https://mastodon.example?/1" }],
    ["bad_uri", { uri: "https://mastodon.example./1" }],
    ["bad_uri", { uri: "https://user:pw@mastodon.example/1" }],
    ["too_large", { uri: `https://mastodon.example/${"x".repeat(2048)}` }],
    ["no_id", { id: null }],
    ["no_id", { id: {} }],
    ["boost", { reblog: STATUS }],
    ["not_public", { visibility: "unlisted" }],
    ["not_public", { visibility: "private" }],
    ["not_public", { visibility: "direct" }],
    ["not_public", { visibility: "local" }],
    ["not_public", { visibility: 5 }],
    ["not_public", { visibility: "" }],
    ["not_public", { local_only: true }],
    ["not_public", { local_only: true, visibility: undefined }],
    ["no_author", { account: null }],
    ["no_author", { account: [] }],
    ["bad_author", { account: { ...ACCOUNT, acct: null, username: null } }],
    ["bad_author", { account: { ...ACCOUNT, acct: "a b" } }],
    ["bad_author", { account: { ...ACCOUNT, acct: "alice@" } }],
    ["bad_author", { account: { ...ACCOUNT, acct: "alice@not a host" } }],
    ["hosts_disagree", { uri: "https://evil.example/1" }],
    ["hosts_disagree", { account: { ...ACCOUNT, acct: "alice@victim.example" } }],
    ["hosts_disagree", { uri: "https://mastodon.example:8443/1" }],
    ["bad_date", { created_at: "yesterday" }],
    ["bad_date", { created_at: "0001-01-01T00:00:00Z" }],
    ["bad_date", { created_at: "1969-12-31T23:59:59Z" }],
    ["bad_date", { created_at: "2999-01-01T00:00:00Z" }],
    ["bad_date", { created_at: "+275760-09-13T00:00:00.000Z" }],
    ["too_large", { content: "ü".repeat(50_001) }],
  ])("%s: %j", (reason, changes) => {
    expect(reasonOf(changes)).toBe(reason);
  });

  it.each([null, undefined, 1, "text", [], true])("not_an_object: %j", (raw) => {
    expect(normaliseStatus(raw, CONTEXT)).toEqual({ ok: false, reason: "not_an_object", uri: null });
  });

  it("not_public: a response to a token without a visibility, or for its own server only", () => {
    const withToken = { ...CONTEXT, with_token: true };
    expect(reasonOf({ visibility: null })).toBe("ok");
    expect(reasonOf({ visibility: null }, withToken)).toBe("not_public");
    expect(reasonOf({ local_only: true }, withToken)).toBe("not_public");
    expect(reasonOf({ local_only: false }, withToken)).toBe("ok");
  });

  it("include the uri, and the author of a post that its own server does not show to everybody", () => {
    const hidden = { ...STATUS, visibility: "private" };
    const drop = { ok: false, reason: "not_public", uri: STATUS.uri };
    const { author } = normalised({});
    expect(normaliseStatus(hidden, CONTEXT)).toEqual({ ...drop, from_home: true, author });
    const elsewhere = { ...CONTEXT, host: "elsewhere.example" };
    expect(normaliseStatus(hidden, elsewhere)).toEqual({ ...drop, from_home: false });
    const of = (account: object) =>
      normaliseStatus({ ...hidden, account: { ...ACCOUNT, ...account } }, CONTEXT);
    for (const account of [
      { acct: "bob@other.example" },
      { acct: "bob@sub.mastodon.example" },
      { url: "https://other.example/@alice" },
      { acct: "", username: "" },
    ])
      expect(of(account)).toEqual({ ...drop, from_home: true });
  });
});

describe("hosts and accounts", () => {
  const remote = {
    uri: "https://social.other.example/users/bob/statuses/1",
    url: "https://social.other.example/@bob/1",
    account: { ...ACCOUNT, acct: "bob@other.example", url: "https://social.other.example/@bob" },
  };

  it("a post of another server is kept with from_home false", () => {
    expect(normalised(remote)).toMatchObject({
      from_home: false,
      instance: "other.example",
      author: { account: "@bob@other.example", username: "bob" },
    });
  });

  it("a related host is another server", () => {
    expect(normalised(remote, { ...CONTEXT, host: "other.example" }).from_home).toBe(false);
    expect(normalised(remote, { ...CONTEXT, host: "a.social.other.example" }).from_home).toBe(false);
    const hidden = { ...STATUS, ...remote, visibility: "private" };
    expect(normaliseStatus(hidden, { ...CONTEXT, host: "other.example" })).toMatchObject({
      from_home: false,
    });
    const own = { ...CONTEXT, host: "social.other.example" };
    expect(normaliseStatus(hidden, own)).toMatchObject({ reason: "not_public", from_home: true });
  });

  it("a server names authors of its own host; others need proof", () => {
    const context = { ...CONTEXT, host: "social.other.example" };
    const by = (acct: string) => ({ ...remote, account: { ...remote.account, acct } });
    expect(reasonOf(by("bob"), context)).toBe("ok");
    expect(reasonOf(by("bob@other.example"), context)).toBe("hosts_disagree");
    expect(reasonOf(by("bob@x.social.other.example"), context)).toBe("hosts_disagree");
  });

  it.each([
    [
      "Threads",
      {
        uri: "https://www.threads.net/ap/users/17841400/post/18000000/",
        url: "https://www.threads.com/@bob/post/DFabc",
        account: { ...ACCOUNT, acct: "bob@threads.net", url: "https://www.threads.com/@bob" },
      },
      "threads.net",
    ],
    [
      "Bridgy Fed",
      {
        uri: "https://bsky.brid.gy/convert/ap/at://did:plc:abc/app.bsky.feed.post/3k",
        url: "https://bsky.app/profile/bob.example/post/3k",
        account: {
          ...ACCOUNT,
          acct: "bob.example@bsky.brid.gy",
          url: "https://bsky.app/profile/bob.example",
        },
      },
      "bsky.brid.gy",
    ],
  ])("a copy from %s has no links to an unrelated host", (_name, copy, host) => {
    expect(normalised(copy)).toMatchObject({
      uri: copy.uri,
      instance: host,
      from_home: false,
      url: null,
      author: { url: null },
    });
  });

  it("a port is part of the host", () => {
    const local = {
      uri: "http://127.0.0.1:4001/users/bob/statuses/1",
      url: "http://127.0.0.1:4001/@bob/1",
      account: { ...ACCOUNT, acct: "bob", url: "http://127.0.0.1:4001/@bob" },
    };
    expect(normalised(local, { ...CONTEXT, host: "127.0.0.1:4001" })).toMatchObject({
      instance: "127.0.0.1:4001",
      from_home: true,
    });
    expect(reasonOf(local, { ...CONTEXT, host: "127.0.0.1:4002" })).toBe("hosts_disagree");
  });

  it.each([
    ["alice", "alice", "mastodon.example"],
    ["@alice", "alice", "mastodon.example"],
    ["alice@Other.Example.", "alice", "other.example"],
    ["@alice@other.example", "alice", "other.example"],
    ["alice@other.example@other.example", "alice", "other.example"],
    ["blog.example@blog.example", "blog.example", "blog.example"],
    ["ユーザー@münchen.example", "ユーザー", "xn--mnchen-3ya.example"],
    ["bob@127.0.0.1:4001", "bob", "127.0.0.1:4001"],
  ])("splitAccount parses %s", (acct, username, host) => {
    expect(splitAccount(acct, { host: "mastodon.example" })).toEqual({ username, host });
  });

  it("hosts belong together when equal or one is a subdomain of the other", () => {
    expect(hostsBelongTogether("a.example", "a.example")).toBe(true);
    expect(hostsBelongTogether("social.a.example", "a.example")).toBe(true);
    expect(hostsBelongTogether("a.example", "social.a.example")).toBe(true);
    expect(hostsBelongTogether("x.a.example", "y.a.example")).toBe(false);
    expect(hostsBelongTogether("evil-a.example", "a.example")).toBe(false);
    expect(hostsBelongTogether("a.example", "example")).toBe(false);
    expect(hostsBelongTogether("9.127.0.0.1", "127.0.0.1")).toBe(false);
    expect(hostsBelongTogether("127.0.0.1:1", "127.0.0.1:2")).toBe(false);
  });
});

describe("odd input", () => {
  it("dates default to the fetch time, are cut when slightly ahead, and are kept when old", () => {
    expect(normalised({ created_at: null }).created_at).toBe(NOW.toISOString());
    expect(normalised({ created_at: 1_700_000_000 }).created_at).toBe(NOW.toISOString());
    expect(normalised({ created_at: "2026-11-21T18:00:00Z" }).created_at).toBe(NOW.toISOString());
    expect(normalised({ created_at: "1998-05-01T10:00:00+02:00" }).created_at).toBe(
      "1998-05-01T08:00:00.000Z",
    );
    expect(normalised({ edited_at: "not a date" }).edited_at).toBeNull();
    expect(normalised({ edited_at: "2026-11-21T11:30:00Z" }).edited_at).toBe("2026-11-21T11:30:00.000Z");
  });

  it("hashtags of the text have at most 255 characters, as those that the server sends", () => {
    const long = "a".repeat(300);
    for (const tags of [null, [long]])
      expect(normalised({ tags, content: `<p>#${long}</p>` }).hashtags).toEqual([long.slice(0, 255)]);
  });

  it("hashtags come from the text when the server sends none, may be strings, and skip blanks", () => {
    expect(
      normalised({ tags: null, content: "<p>#One and&nbsp;#Zwei, not a#b or x/#y #one</p>" }).hashtags,
    ).toEqual(["One", "Zwei"]);
    expect(
      normalised({ tags: ["#a", "", null, { name: 5 }, { name: " b " }, { name: "c d" }] }).hashtags,
    ).toEqual(["a", "b"]);
    expect(
      normalised({ tags: Array.from({ length: 500 }, (_, n) => ({ name: `t${n}` })) }).hashtags,
    ).toHaveLength(100);
  });

  it("media keep types, addresses and sizes", () => {
    const media = normalised({
      media_attachments: [
        {
          type: "image/jpeg",
          url: "https://f.example/1.jpg",
          meta: { width: 10, height: -1 },
          blurhash: "<script>",
        },
        { type: 5, url: null, remote_url: "https://f.example/2.mp4", description: "  " },
        { type: "video", url: null, preview_url: "https://f.example/3.jpg" },
        { type: "image", url: "javascript:alert(1)" },
        null,
        "https://f.example/x",
      ],
    }).media;
    expect(media).toMatchObject([
      {
        type: "image",
        url: "https://f.example/1.jpg",
        width: 10,
        height: null,
        blurhash: null,
        description: null,
      },
      { type: "unknown", url: "https://f.example/2.mp4", description: null },
      { type: "video", url: "https://f.example/3.jpg" },
    ]);
  });

  it("counters stay within an integer column", () => {
    expect(normalised({ reblogs_count: -5, favourites_count: 1e20, replies_count: "7" })).toMatchObject({
      boosts: 0,
      likes: 2_147_483_647,
      replies: 0,
    });
  });

  it("polls, quotes and approvals are read", () => {
    expect(
      normalised({
        poll: {
          options: [{ title: "a", votes_count: 2 }, { title: "b" }, 5],
          multiple: true,
          votes_count: 2,
          voters_count: 1,
          expires_at: "2030-01-01T00:00:00Z",
        },
        quote: { state: "accepted", quoted_status: { ...STATUS, account: { acct: "bob@other.example" } } },
        quote_approval: { automatic: ["public"], manual: [], current_user: "unknown" },
      }),
    ).toMatchObject({
      poll: {
        options: [
          { title: "a", votes: 2 },
          { title: "b", votes: null },
        ],
        multiple: true,
        expired: false,
        votes: 2,
        voters: 1,
        expires_at: "2030-01-01T00:00:00.000Z",
      },
      quote: {
        state: "accepted",
        uri: STATUS.uri,
        account: "@bob@other.example",
        content: expect.stringContaining("<p>Look <a ") as string,
      },
      quote_approval: { automatic: ["public"], manual: [] },
    });
    expect(normalised({ quote: { state: "pending", quoted_status: null } }).quote).toEqual({
      state: "pending",
      uri: null,
      url: null,
      account: null,
      name: null,
      content: "",
      tags: [],
      author: null,
    });
    expect(normalised({ quote: { uri: STATUS.uri, account: ACCOUNT } }).quote).toMatchObject({
      uri: STATUS.uri,
      account: "@alice@mastodon.example",
    });
  });

  it("GoToSocial's interaction policy sets can_announce", () => {
    const policy = (rule: unknown) => normalised({ interaction_policy: { can_reblog: rule } }).can_announce;
    expect(policy({ always: ["public", "me"], with_approval: [] })).toBe(true);
    expect(policy({ automatic_approval: ["public"], manual_approval: [] })).toBe(true);
    expect(policy({ always: ["author", "me"], with_approval: ["public"] })).toBe(false);
    expect(policy({ always: [] })).toBe(false);
    expect(policy({})).toBeNull();
    expect(policy("public")).toBeNull();
  });
});

describe("the line of a quote that servers add", () => {
  const address = "https://q.example/notes/q";
  const link = `<a href="${address}">${address}</a>`;
  const quote = { state: "accepted", quoted_status: { uri: address, account: { acct: "q@q.example" } } };
  it.each([
    ["of Misskey", `<p>I agree<span class="quote-inline"><br>RE: ${link}</span></p>`, null],
    ["of Mastodon", `<p class="quote-inline">RE: ${link}</p><p>I agree</p>`, quote],
    ["of Akkoma", `I agree<span class="quote-inline"><br/><br/>RE: ${link}</span>`, null],
    ["of Threads, in a block", `<p>I agree</p><div class="x quote-inline"><p>RE: ${link}</p></div>`, null],
    ["without its class", `<p>I agree<br><br>RE: ${link}</p>`, quote],
    ["without its class, in a paragraph", `<p>I agree</p><p>QT: ${link}</p>`, quote],
  ])("%s is no text of the author, and the quote is kept", (_name, content, given) => {
    const post = normalised({ content, quote: given });
    expect([post.plain_text, post.snippet, post.quote?.uri]).toEqual(["I agree", "I agree", address]);
    expect(post.content_html).toMatch(/^(<p>)?I agree(<\/p>)?$/);
  });
  it("stays where the author wrote it: without a quote, or with another address", () => {
    for (const given of [null, { ...quote, quoted_status: { uri: "https://q.example/notes/other" } }]) {
      const { plain_text: text } = normalised({ content: `<p>Look. RE: ${link}</p>`, quote: given });
      expect(text).toBe(`Look. RE: ${address}`);
    }
  });
});

describe("a reply", () => {
  it.each([
    ["to the author's own post", "7", true],
    ["to somebody else", "8", false],
    ["to nobody known", null, false],
  ])("%s", (_name, to, isOwn) => {
    const post = normalised({ in_reply_to_id: "5", in_reply_to_account_id: to });
    expect([post.in_reply_to, post.is_own_thread]).toEqual(["5", isOwn]);
  });
});
