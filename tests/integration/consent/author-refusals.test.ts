import { randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import * as envModule from "#lib/base/env.ts";
import { servicePrincipal, type Actor } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { learn } from "#lib/checks/learner/learn.ts";
import { applySourceCheck } from "#lib/collect/apply-source-check.ts";
import { forgetAuthors } from "#lib/collect/forget-authors.ts";
import { ingestPosts } from "#lib/collect/ingest-posts.ts";
import { reportOptOut } from "#lib/collect/opt-outs.ts";
import { normaliseStatus } from "#lib/fediverse/normalise-status.ts";
import { cleanupDelivered } from "#lib/queue/cleanup-delivered.ts";
import { decide } from "#lib/review/decide.ts";
import {
  atDomain,
  copyOf,
  entries,
  HOME,
  ingest,
  postOf,
  status,
  target,
  type Status,
  type IngestTarget,
} from "#tests/integration/streams/ingest-samples.ts";
import { makeMember } from "#tests/setup/factories.ts";

/* A refusal that an author's own server shows forgets the author, with and without stored posts. */

const { id: member_id, name: label } = await makeMember();
const reviewer: Actor = { label, member_id, key_id: null, source: "screen" };

async function approve(...sent: Status[]): Promise<void> {
  const ids = await Promise.all(sent.map(async (each) => (await postOf(each)).id));
  await inTransaction((tx) => decide(tx, reviewer, ids, true));
  await learn({ deadline: new Date(Date.now() + 20_000) });
}

const by = (username: string, more: Partial<Status> = {}) => status({ ...more, account: { username } });
const withProfile = (sent: Status, account: Record<string, unknown>): Status => ({
  ...sent,
  account: { ...sent.account, ...account },
});
const refusing = (sent: Status) => withProfile(sent, { note: "<p>#nobot</p>" });

/** Of the learner; kept under the author's name when the posts are gone. */
async function examplesOf(author_key: string): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM learnt WHERE author = name_number(${author_key})`;
  return rows[0]?.n ?? 0;
}

/** An author whose posts were delivered and cleaned up, and about whom a consumer reported an opt-out. */
async function remembered(stream: IngestTarget) {
  const username = `u${randomUUID().slice(0, 8)}`;
  const sent = [by(username), by(username)];
  await ingest(stream, sent);
  for (const each of sent) await approve(each);
  const author_key = `${username}@${HOME}`;
  const report = { author_key, post_id: (await postOf(sent[0]!)).id, reason: "nobot" };
  await reportOptOut(servicePrincipal, () => Promise.resolve(report));
  await db.$executeRaw`UPDATE queue_entry SET state = 'delivered', delivered_at = now()
    WHERE author_key = ${author_key}`;
  await cleanupDelivered(servicePrincipal, 0);
  const known = async () => ({
    posts: await db.post.count({ where: { author_key } }),
    examples: await examplesOf(author_key),
  });
  expect(await known()).toEqual({ posts: 0, examples: 2 });
  return { username, author_key, old: sent[0]!, known };
}

const forgotten = { posts: 0, examples: 0 };
const kept = { posts: 0, examples: 2 };

describe("an author without stored posts is forgotten, and an open report is returned,", () => {
  test.each<[string, (username: string, old: Status) => Status]>([
    ["who posts again with a refusing profile", (username) => refusing(by(username))],
    ["who posts again with noindex", (username) => withProfile(by(username), { noindex: true })],
    ["whose delivered post is seen again", (_username, old) => refusing(old)],
    ["whose post refuses, too", (username) => refusing(by(username, { tags: [{ name: "nobot" }] }))],
    [
      "whose post refuses, with noindex",
      (username) => withProfile(by(username, { tags: [{ name: "nobot" }] }), { noindex: true }),
    ],
    ["who has moved", (username) => withProfile(refusing(by(username)), { moved: { id: "2", acct: "x" } })],
    ["whose new post is not public", (username) => refusing(by(username, { visibility: "unlisted" }))],
    [
      "whose new post is too long to be read",
      (username) => refusing(by(username, { content: "x".repeat(100_001) })),
    ],
    ["whose new post has no readable time", (username) => refusing(by(username, { created_at: "soon" }))],
    [
      "whose new post is in another language than the stream takes",
      (username) => refusing(by(username, { language: "xx" })),
    ],
  ])("%s", async (_how, again) => {
    const stream = await target({ languages: ["en"] });
    const { username, author_key, old, known } = await remembered(stream);
    expect(await ingest(stream, [again(username, old)])).toMatchObject({ new: 0, opted_out: [author_key] });
    expect(await known()).toEqual(forgotten);
  });

  test("when a fetch ends before the post, not before it is reached", async () => {
    const stream = await target();
    const { username, author_key, known } = await remembered(stream);
    const page = [status(), status(), refusing(by(username))];
    expect(await ingest(stream, page, { max_new: 1 })).toMatchObject({ taken: 1, opted_out: [] });
    expect(await known()).toEqual(kept);
    expect(await ingest(stream, page)).toMatchObject({ taken: 3, opted_out: [author_key] });
    expect(await known()).toEqual(forgotten);
  });
});

describe("an author without stored posts is kept", () => {
  test.each<[string, (username: string, old: Status) => Status]>([
    ["when another server's copy refuses", (username) => copyOf(refusing(by(username)))],
    [
      "when another server's copy is too long to be read",
      (username) => copyOf(refusing(by(username, { content: "x".repeat(100_001) }))),
    ],
    ["when another server's copy of a delivered post refuses", (_username, old) => copyOf(refusing(old))],
    [
      "when another server's copy is not public",
      (username) => copyOf(refusing(by(username, { visibility: "unlisted" }))),
    ],
  ])("%s", async (_how, again) => {
    const { username, old, known } = await remembered(await target());
    const elsewhere = await target({ instance: "elsewhere.example" });
    expect(await ingest(elsewhere, [again(username, old)])).toMatchObject({ new: 0, opted_out: [] });
    expect(await known()).toEqual(kept);
  });

  test.each<[string, Partial<IngestTarget>, (username: string) => Status]>([
    ["whose post alone refuses", {}, (username) => by(username, { tags: [{ name: "nobot" }] })],
    ["who has not opted in", { consent_policy: "opt-in" }, (username) => by(username)],
    ["who has moved", {}, (username) => withProfile(by(username), { moved: { id: "2", acct: "x" } })],
    ["whose post is not public", {}, (username) => by(username, { visibility: "unlisted" })],
  ])("%s", async (_how, settings, again) => {
    const { username, known } = await remembered(await target());
    const page = [again(username)];
    expect(await ingest(await target(settings), page)).toMatchObject({ new: 0, opted_out: [] });
    expect(await known()).toEqual(kept);
  });

  test("when another server invents a post by them", async () => {
    const { username, known } = await remembered(await target());
    const liar = await target({ instance: "liar.example" });
    const invented = status({ account: { username } }, "liar.example");
    const named = withProfile(refusing(invented), { acct: `${username}@${HOME}` });
    expect(await ingest(liar, [named])).toMatchObject({ new: 0, opted_out: [] });
    expect(await known()).toEqual(kept);
  });
});

test("an author who opted in keeps examples and posts of that stream under noindex, not under a tag", async () => {
  vi.spyOn(envModule, "env").mockReturnValue({ ...envModule.env(), OPT_IN_TAGS: ["yesbot"] });
  const account = { username: "listener", note: "#yesbot" };
  const author_key = `listener@${HOME}`;
  const listed = await target({ consent_policy: "opt-in" });
  const given = status({ account });
  await ingest(listed, [given]);
  await approve(given);
  const wide = await target();
  await ingest(wide, [withProfile(status({ account }), { noindex: true })]);
  expect([await examplesOf(author_key), await db.post.count({ where: { author_key } })]).toEqual([1, 1]);
  const ofWide = status({ account });
  await ingest(wide, [ofWide]);
  await ingest(wide, [withProfile(ofWide, { noindex: true })]);
  expect(await db.post.findMany({ where: { author_key } })).toMatchObject([{ uri: given.uri }]);
  await ingest(wide, [refusing(status({ account }))]);
  expect([await examplesOf(author_key), await db.post.count({ where: { author_key } })]).toEqual([0, 0]);
});

describe("a server that answers for the accounts of another domain", () => {
  const author_key = "split@org.example";
  const shownBy = async (host: string, note: string) => {
    const sent = status({ account: { username: "split", acct: "split", note } }, host);
    const entry = atDomain(normaliseStatus(sent, { host, now: new Date() }), "org.example");
    const stream = await target({ instance: host });
    return db.$transaction((tx) => ingestPosts(tx, stream, [entry]));
  };
  const example = () => db.$executeRaw`INSERT INTO learnt (post_id, author, rejected, reviewed_at, features)
    VALUES (0, name_number(${author_key}), false, now(), '{}')`;
  const left = () => examplesOf(author_key);

  test("forgets its author once the domain is verified, and no author of another server of the domain", async () => {
    await example();
    await shownBy("social.org.example", "#nobot");
    expect(await left()).toBe(1);
    await db.host_state.create({ data: { host: "staff.org.example", domain: "org.example" } });
    await shownBy("social.org.example", "#nobot");
    expect(await left()).toBe(1);
    await db.host_state.create({ data: { host: "social.org.example", domain: "org.example" } });
    await shownBy("social.org.example", "#nobot");
    expect(await left()).toBe(0);
  });
});

describe("a source check forgets the author", () => {
  const check = (uri: string, outcome: Parameters<typeof applySourceCheck>[2]) =>
    db.$transaction((tx) => applySourceCheck(tx, uri, outcome));
  const seen = (sent: Status) => {
    const [entry] = entries([sent]);
    if (!entry?.ok) throw new Error("not readable");
    return { kind: "seen", post: entry.post } as const;
  };
  const two = async () => {
    const username = `u${randomUUID().slice(0, 8)}`;
    const sent = [by(username), by(username)] as const;
    await ingest(await target(), [...sent]);
    const left = () => db.post.count({ where: { author_key: `${username}@${HOME}` } });
    return { sent, left };
  };

  test("whose post is no longer public", async () => {
    const { sent, left } = await two();
    const [entry] = entries([refusing({ ...sent[0], visibility: "private" })]);
    if (entry?.ok !== false || entry.author === undefined) throw new Error("no author");
    await check(sent[0].uri, { kind: "withdrawn", visibility: "private", author: entry.author });
    expect(await left()).toBe(0);
  });

  test("whose post is too long to be read now", async () => {
    const { sent, left } = await two();
    const [entry] = entries([refusing({ ...sent[0], content: "x".repeat(100_001) })]);
    if (entry?.ok !== false || entry.author === undefined) throw new Error("no author");
    await check(sent[0].uri, {
      kind: "unverifiable",
      reason: "too large",
      retry_at: null,
      author: entry.author,
    });
    expect(await left()).toBe(0);
  });

  test("whose post was gone before", async () => {
    const { sent, left } = await two();
    await check(sent[0].uri, { kind: "gone" });
    expect(await left()).toBe(2);
    await check(sent[0].uri, seen(refusing(sent[0])));
    expect(await left()).toBe(0);
  });

  test("not when another server was asked instead", async () => {
    const { sent, left } = await two();
    await check(sent[0].uri, { ...seen(refusing(sent[0])), instead: "elsewhere.example" });
    expect(await left()).toBe(2);
  });
});

test("forgetting authors of whom nothing is stored writes nothing", async () => {
  await remembered(await target());
  const refusals = Array.from({ length: 40 }, (_, n) => ({
    author_key: `nobody${n}@${HOME}`,
    uri_host: HOME,
    rule: "refusal_tag" as const,
  }));
  const written = await db.$transaction(async (tx) => {
    await forgetAuthors(tx, refusals);
    return tx.$queryRaw<{ id: string | null }[]>`SELECT pg_current_xact_id_if_assigned()::text AS id`;
  });
  expect(written).toEqual([{ id: null }]);
});
