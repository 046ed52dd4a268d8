import { afterEach, describe, expect, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import * as envModule from "#lib/base/env.ts";
import { ingestPosts } from "#lib/collect/ingest-posts.ts";
import { pastOf } from "#lib/collect/ingest-sql.ts";
import type { FilterReason, StreamFilters } from "#lib/collect/stream-filters.ts";
import { normaliseStatus } from "#lib/fediverse/normalise-status.ts";
import { switches } from "#lib/queue/switches.ts";
import {
  atDomain,
  copyOf,
  HOME,
  historyOf,
  image,
  ingest,
  postOf,
  status,
  target,
  type Status,
} from "./ingest-samples.ts";

afterEach(async () => {
  await switches.set({
    auto_reject_blocked_users: true,
    auto_reject_blocked_hashtags: true,
    auto_reject_bots: false,
  });
  await db.blocked_user.deleteMany();
  await db.blocked_hashtag.deleteMany();
});

describe("stream settings", () => {
  /** Of each filter: the setting, and a post that it drops. */
  const dropped: Record<FilterReason, [Partial<StreamFilters>, Partial<Status>]> = {
    no_media: [{ require_media: true }, { media_attachments: [] }],
    reply: [{ drop_replies: true }, { in_reply_to_id: "1" }],
    language: [{ languages: ["pt", "en"] }, { language: "de" }],
  };

  test.each(Object.entries(dropped))("drop posts: %s", async (reason, [settings, given]) => {
    const media_attachments = [image()];
    const sent = [status({ media_attachments }), status({ media_attachments, ...given })];
    const result = await ingest(await target(settings), sent);
    expect(result).toMatchObject({ new: 1, dropped: { [reason]: 1 }, taken: 2 });
  });

  test("keep own threads, regional languages and posts without a language", async () => {
    const stream = await target({ drop_replies: true, languages: ["pt", "en"] });
    const ownThread = status({ in_reply_to_id: "1" });
    ownThread["in_reply_to_account_id"] = ownThread.account["id"];
    const sent = [ownThread, status({ language: "pt-BR" }), status({ language: null })];
    expect(await ingest(stream, sent)).toMatchObject({ new: 3, dropped: {} });
  });

  test("update a known post without a sighting", async () => {
    const wide = await target();
    const narrow = await target({ require_media: true });
    const sent = status();
    await ingest(wide, [sent]);
    expect(await ingest(narrow, [{ ...sent, reblogs_count: 9 }])).toMatchObject({
      duplicates: 1,
      updated: 1,
    });
    const post = await postOf(sent);
    expect(post.boosts).toBe(9);
    expect(await db.sighting.count({ where: { post_id: post.id } })).toBe(1);
  });
});

describe("auto-rejection", () => {
  test.each([
    ["exact", (key: string) => key],
    ["suffix", () => "@spam.example"],
    ["domain", () => "spam.example"],
    ["prefix", () => "adbot"],
    ["contains", () => "tspam"],
  ])("of a blocked user by a pattern of kind %s", async (pattern_type, patternOf) => {
    const username = `adbotspam${Math.random().toString(36).slice(2)}`;
    const author = `${username}@spam.example`;
    await db.blocked_user.create({ data: { account_identifier: patternOf(author), pattern_type } });
    const sent = status({ account: { username } }, "spam.example");
    const stream = await target({ instance: "spam.example" });
    expect(await ingest(stream, [sent, status({}, "other.example")])).toMatchObject({
      auto_rejected: 1,
    });
    const post = await postOf(sent);
    expect(post).toMatchObject({ approved: false, auto_reject_reason: "blocked_user", approved_at: null });
    expect(post.reviewed_at).toEqual(post.fetched_at);
    expect(await historyOf(post.id)).toMatchObject([
      {
        source: "filter",
        action: "auto_reject",
        from_state: "unreviewed",
        to_state: "rejected",
        note: `blocked_user: ${patternOf(author)} (${pattern_type})`,
        details: { reason: "blocked_user", pattern: patternOf(author), pattern_type },
      },
    ]);
  });

  test("rejects a blocked hashtag in any spelling", async () => {
    await db.blocked_hashtag.create({ data: { hashtag: "Café", hashtag_folded: "cafe" } });
    const stream = await target();
    const sent = status({ tags: [{ name: "ＣＡＦÉ" }] });
    const other = status({ tags: [{ name: "cafes" }] });
    expect(await ingest(stream, [sent, other])).toMatchObject({ new: 2, auto_rejected: 1 });
    const ofStream = status({ tags: [] });
    expect(await ingest(await target({ hashtag: "CAFE" }), [ofStream])).toMatchObject({ auto_rejected: 1 });
    expect((await postOf(ofStream)).auto_reject_reason).toBe("blocked_hashtag");
    const post = await postOf(sent);
    expect(post.auto_reject_reason).toBe("blocked_hashtag");
    expect((await historyOf(post.id))[0]).toMatchObject({ note: "blocked_hashtag: Café (hashtag)" });
    expect((await postOf(other)).approved).toBeNull();
  });

  test("rejects bots when switched on; reasons in order: user, hashtag, bot", async () => {
    await db.blocked_hashtag.create({ data: { hashtag: "dogs", hashtag_folded: "dogs" } });
    await switches.set({ auto_reject_bots: true });
    const stream = await target();
    const bot = status({ account: { bot: true } });
    const tagged = status({ account: { bot: true }, tags: [{ name: "dogs" }] });
    const blocked = status({ account: { bot: true, username: "twice" }, tags: [{ name: "dogs" }] });
    await db.blocked_user.create({ data: { account_identifier: `twice@${HOME}`, pattern_type: "exact" } });
    await ingest(stream, [bot, tagged, blocked]);
    expect((await postOf(bot)).auto_reject_reason).toBe("bot");
    expect((await postOf(tagged)).auto_reject_reason).toBe("blocked_hashtag");
    expect((await postOf(blocked)).auto_reject_reason).toBe("blocked_user");
  });

  test("rejects nothing with switches off", async () => {
    await switches.set({ auto_reject_blocked_users: false, auto_reject_blocked_hashtags: false });
    await db.blocked_user.create({ data: { account_identifier: "author", pattern_type: "prefix" } });
    await db.blocked_hashtag.create({ data: { hashtag: "cats", hashtag_folded: "cats" } });
    const bot = status({ account: { bot: true } });
    expect(await ingest(await target(), [bot])).toMatchObject({ new: 1, auto_rejected: 0 });
    expect((await postOf(bot)).approved).toBeNull();
  });
});

describe("consent", () => {
  /** Of those that were dropped, by uri. */
  const rulesOf = async (posts: { uri: string }[]) => {
    const past = await db.$transaction((tx) =>
      pastOf(
        tx,
        posts.map(({ uri }) => uri),
      ),
    );
    return new Map([...past].flatMap(([uri, { reason, dropped }]) => (dropped ? [[uri, reason]] : [])));
  };

  test("stores only a hash of the uri, rule and time of refused posts", async () => {
    const stream = await target();
    const page = [
      status({ account: { note: "<p>please #NoBots</p>" } }),
      status({ account: { noindex: true } }),
      status({ tags: [{ name: "nosearch" }] }),
      status({ visibility: "unlisted" }),
    ];
    const result = await ingest(stream, page);
    expect(result).toMatchObject({
      new: 0,
      dropped: { refusal_tag: 1, noindex: 1, refusal_tag_on_post: 1, not_public: 1 },
    });
    expect(await db.post.count({ where: { uri: { in: page.map((each) => each.uri) } } })).toBe(0);
    expect([...(await rulesOf(page)).values()].sort()).toEqual([
      "noindex",
      "refusal_tag",
      "refusal_tag_on_post",
      "visibility",
    ]);
  });

  test("accepts only authors with an opt-in tag in opt-in streams", async () => {
    vi.spyOn(envModule, "env").mockReturnValue({ ...envModule.env(), OPT_IN_TAGS: ["yesbot"] });
    const given = status({ account: { username: "yes", note: "#yesbot" } });
    const stream = await target({ consent_policy: "opt-in" });
    expect(await ingest(stream, [given, status()])).toMatchObject({ new: 1, dropped: { not_opted_in: 1 } });
    // The rules of the stream that fetched it first apply.
    expect(await ingest(await target(), [given])).toMatchObject({ duplicates: 1, updated: 0 });
    expect((await postOf(given)).consent).toMatchObject({ policy: "opt-in", opt_in_tags: ["yesbot"] });
  });

  test("lets only the home server undo a refusal", async () => {
    const home = await target();
    const elsewhere = await target({ instance: "elsewhere.example" });
    const sent = status({ account: { note: "#nobot" } });
    await ingest(home, [sent]);
    const allowed = { ...sent, account: { ...sent.account, note: "" } };
    expect(await ingest(elsewhere, [copyOf(allowed)])).toMatchObject({ new: 0, dropped: { refusal_tag: 1 } });
    expect(await ingest(home, [allowed])).toMatchObject({ new: 1 });
  });

  test("applies a stream's policy to that stream only, and keeps the later of two refusals", async () => {
    const strict = await target({ consent_policy: "opt-in" });
    const elsewhere = await target({ instance: "elsewhere.example" });
    const [quiet, refusing] = [status(), status()];
    expect(await ingest(strict, [quiet, refusing])).toMatchObject({ new: 0 });
    await ingest(strict, [{ ...refusing, account: { ...refusing.account, note: "#nobot" } }]);
    expect(await ingest(elsewhere, [copyOf(quiet), copyOf(refusing)])).toMatchObject({
      new: 1,
      dropped: { refusal_tag: 1 },
    });
    expect((await postOf(quiet)).stream_id).toBe(elsewhere.id);
  });

  test("follows a withdrawn opt-in, whatever stream shows it", async () => {
    vi.spyOn(envModule, "env").mockReturnValue({ ...envModule.env(), OPT_IN_TAGS: ["yesbot"] });
    const account = { username: "once", note: "<p>#yesbot</p>" };
    const sent = status({ account });
    expect(await ingest(await target({ consent_policy: "opt-in" }), [sent])).toMatchObject({ new: 1 });
    const other = await target();
    await ingest(other, [{ ...sent, account: { ...sent.account, note: "" } }]);
    expect(await db.post.count({ where: { uri: sent.uri } })).toBe(0);
  });

  test("deletes all posts of an author who opts out, in any state", async () => {
    const stream = await target();
    const first = status({ account: { username: "later" } });
    const second = status({ account: { username: "later" } });
    await ingest(stream, [first, second]);
    const [a, b] = [await postOf(first), await postOf(second)];
    const refusing = { ...first, account: { ...first.account, note: "<p>#nobot</p>" } };
    await ingest(stream, [refusing]);
    expect(await db.post.count({ where: { id: { in: [a.id, b.id] } } })).toBe(0);
    expect(await historyOf(b.id)).toMatchObject([
      { action: "opt_out", to_state: "deleted", source: "service" },
    ]);
    // They stay rejected after the author opts in again.
    expect(await ingest(stream, [first, second])).toMatchObject({ new: 0, duplicates: 2 });
  });

  test("holds and does not delete a post when another server's copy by the same author refuses", async () => {
    const sent = status();
    await ingest(await target(), [sent]);
    const elsewhere = await target({ instance: "elsewhere.example" });
    const refusing = (username: unknown) =>
      copyOf({ ...sent, account: { ...sent.account, username, note: "#nobot" } });
    await ingest(elsewhere, [refusing("someone")]);
    expect((await postOf(sent)).differs_since).toBeNull();
    await ingest(elsewhere, [refusing(sent.account["username"])]);
    expect((await postOf(sent)).differs_since).not.toBeNull();
  });

  test("deletes the posts of the real author, not of the one that a copy invented", async () => {
    const home = await target();
    const elsewhere = await target({ instance: "elsewhere.example" });
    const famous = status({ account: { username: "famous" } });
    const [one, two] = [1, 2].map(() => status({ account: { username: "bob" } })) as [Status, Status];
    await ingest(home, [famous, two]);
    await ingest(elsewhere, [copyOf({ ...one, account: { ...one.account, username: "famous" } })]);
    expect((await postOf(one)).author_username).toBe("famous");
    await ingest(home, [{ ...one, account: { ...one.account, note: "#nobot" } }]);
    const left = await db.post.findMany({ where: { uri: { in: [famous, one, two].map(({ uri }) => uri) } } });
    expect(left.map(({ uri }) => uri)).toEqual([famous.uri]);
  });

  test("deletes no posts on other hosts than the one that shows the refusal", async () => {
    const shownBy = async (host: string, note: string, known?: Status) => {
      const account = { username: "shared", acct: "shared", note };
      const sent = known ?? status({}, host);
      const raw = { ...sent, account: { ...sent.account, ...account } };
      const entry = atDomain(normaliseStatus(raw, { host, now: new Date() }), "org.example");
      const stream = await target({ instance: host });
      await db.$transaction((tx) => ingestPosts(tx, stream, [entry]));
      return sent;
    };
    const good = await shownBy("social.org.example", "");
    const bad = await shownBy("other.org.example", "");
    expect((await postOf(good)).author_key).toBe((await postOf(bad)).author_key);
    await shownBy("other.org.example", "#nobot", bad);
    expect(await db.post.count({ where: { uri: bad.uri } })).toBe(0);
    expect(await db.post.count({ where: { uri: good.uri } })).toBe(1);
  });
});
