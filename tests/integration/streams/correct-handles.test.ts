import { beforeEach, describe, expect, test } from "vitest";
import type { StoredAction } from "#lib/actions/action-kind.ts";
import type { Actor, Principal } from "#lib/auth/principal.ts";
import { db, type Tx } from "#lib/db.ts";
import type { HostRequest } from "#lib/fediverse/guarded-fetch.ts";
import { applyBlockChanges } from "#lib/filters/block-changes.ts";
import { hostDomain } from "#lib/hosts/host-domain.ts";
import { correctHandles } from "#lib/ingest/correct-handles.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { enqueuePosts } from "#lib/queue/queue-entries.ts";
import { changeStanding, standingKind } from "#lib/review/standings.ts";
import { compactFigures } from "#lib/stats/stored-figures.ts";
import { inTransaction } from "#lib/transaction.ts";
import { makeMember, makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { forgetFigures } from "#tests/setup/figures.ts";

const HOST = "social.example.org";
const DOMAIN = "example.org";
const soon = () => new Date(Date.now() + 20_000);
const correct = (ms = 20_000) => correctHandles({ deadline: new Date(Date.now() + ms) });

/** A Mastodon at HOST whose accounts are at DOMAIN. */
const request: HostRequest = (url) => {
  const json = url.startsWith(`https://${HOST}/api/v2/instance`)
    ? { domain: DOMAIN, contact: { account: { username: "ana" } } }
    : {
        subject: `acct:ana@${DOMAIN}`,
        links: [{ rel: "self", type: "application/activity+json", href: `https://${HOST}/users/ana` }],
      };
  return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(json)), url });
};
const learnDomain = () => hostDomain(HOST, { name: "mastodon", family: "mastodon" }, { request });

beforeEach(async () => {
  await db.post.deleteMany();
  await db.host_state.deleteMany();
  await db.blocked_user.deleteMany();
  await db.reported_opt_out.deleteMany();
  await db.author_standing.deleteMany();
  await forgetFigures();
});

/** Columns of all tables that contain a text. */
async function columnsWith(text: string): Promise<string[]> {
  const columns = await db.$queryRaw<{ name: string; found: boolean }[]>`
    SELECT table_name || '.' || column_name AS name,
           (xpath('//found/text()', query_to_xml(format('SELECT count(*) AS found FROM %I WHERE strpos(%I::text, %L) > 0',
             table_name, column_name, ${text}::text), false, true, '')))[1]::text <> '0' AS found
      FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
       AND (data_type IN ('text', 'character varying', 'jsonb', 'ARRAY'))
     ORDER BY 1`;
  return columns.filter(({ found }) => found).map(({ name }) => name);
}

const entryOf = (post_id: number) => db.queue_entry.findUniqueOrThrow({ where: { post_id } });

describe("stored handles of a server whose domain becomes known", () => {
  test("are corrected on posts and in the queue, and are found by both names", async () => {
    const own = await makePending({ author_username: "Ana", instance: HOST });
    const other = await makePost({ author_username: "ana", instance: "another.example" });
    await learnDomain();
    expect(await correct()).toEqual({ worked: true });
    expect(await db.post.findUnique({ where: { id: own.id } })).toMatchObject({
      author_account: `@Ana@${DOMAIN}`,
      author_key: `ana@${DOMAIN}`,
      instance: DOMAIN,
      uri: own.uri,
    });
    expect(await entryOf(own.id)).toMatchObject({ author_key: `ana@${DOMAIN}`, state: "pending", holds: 0 });
    expect(await db.post.findUnique({ where: { id: other.id } })).toMatchObject({
      author_account: "@ana@another.example",
    });
    expect(await db.handle_change.count()).toBe(0);
    expect(await correct()).toEqual({ worked: false });
    expect(await db.audit_event.findFirst({ where: { action: "author.rename" } })).toMatchObject({
      before: { handle: `@${HOST}` },
      after: { handle: `@${DOMAIN}` },
    });
  });

  test("keep their blocks, opt-outs, standings and consent", async () => {
    await db.blocked_user.create({ data: { account_identifier: `blocked@${HOST}`, pattern_type: "exact" } });
    await db.reported_opt_out.create({ data: { author_key: `out@${HOST}`, reason: "asked" } });
    await db.author_standing.create({
      data: { author_key: `muted@${HOST}`, standing: "muted", set_by: "Ann" },
    });
    const stream = await makeStream({ consent_list: [`@in@${HOST}`, "@in@elsewhere.example"] });
    const blocked = await makePending({ author_username: "blocked", instance: HOST });
    const out = await makePending({ author_username: "out", instance: HOST });
    await learnDomain();
    await correct();
    expect((await entryOf(blocked.id)).holds & holdBits.blocked_user).not.toBe(0);
    expect((await entryOf(out.id)).holds & holdBits["opt-out reported"]).not.toBe(0);
    // Also for posts that come under the new name.
    const later = [
      await makePending({ author_username: "blocked", instance: DOMAIN }),
      await makePending({ author_username: "out", instance: DOMAIN }),
    ];
    for (const { id } of later) expect((await entryOf(id)).holds).not.toBe(0);
    expect(await db.author_standing.findMany()).toMatchObject([
      { author_key: `muted@${DOMAIN}`, standing: "muted", set_by: "Ann" },
    ]);
    expect(await db.reported_opt_out.findMany()).toMatchObject([
      { author_key: `out@${DOMAIN}`, resolved_at: null },
    ]);
    expect((await db.stream.findUniqueOrThrow({ where: { id: stream.id } })).consent_list).toEqual([
      `@in@${HOST}`,
      "@in@elsewhere.example",
      `@in@${DOMAIN}`,
    ]);
  });

  test("are held when the right handle was blocked or opted out already", async () => {
    await db.blocked_user.create({ data: { account_identifier: `@${DOMAIN}`, pattern_type: "suffix" } });
    await db.reported_opt_out.create({ data: { author_key: `out@${DOMAIN}`, reason: "asked" } });
    const out = await makePending({ author_username: "out", instance: HOST });
    expect((await entryOf(out.id)).holds).toBe(0);
    await learnDomain();
    await correct();
    expect((await entryOf(out.id)).holds).toBe(holdBits.blocked_user | holdBits["opt-out reported"]);
  });

  test("can lose a standing that was set under the old handle, by its undo", async () => {
    const { id, name } = await makeMember();
    const actor: Actor = { label: name, member_id: id, key_id: null, source: "screen" };
    await inTransaction((tx) => changeStanding(tx, actor, `ana@${HOST}`, "muted"));
    await learnDomain();
    await correct();
    expect(await db.author_standing.findMany()).toMatchObject([{ author_key: `ana@${DOMAIN}` }]);
    const action = await db.change.findFirstOrThrow({ where: { kind: "standing" } });
    const undo = (tx: Tx) => standingKind.undo(tx, actor as Principal, action as unknown as StoredAction);
    expect(await inTransaction(undo)).toMatchObject({ restored: 1 });
    expect(await db.author_standing.count()).toBe(0);
  });

  test("keep blocks of a part of the handle that names the host", async () => {
    await db.blocked_user.createMany({
      data: [
        { account_identifier: `bot@${HOST}`, pattern_type: "suffix" },
        { account_identifier: `@${HOST}`, pattern_type: "contains" },
      ],
    });
    const bot = await makePending({ author_username: "newsbot", instance: HOST });
    await learnDomain();
    await correct();
    expect((await entryOf(bot.id)).holds).toBe(holdBits.blocked_user);
    expect(
      await db.blocked_user.findMany({
        where: { account_identifier: { endsWith: `@${DOMAIN}` } },
        orderBy: { account_identifier: "asc" },
        select: { account_identifier: true, pattern_type: true },
      }),
    ).toEqual([
      { account_identifier: `@${DOMAIN}`, pattern_type: "contains" },
      { account_identifier: `bot@${DOMAIN}`, pattern_type: "suffix" },
    ]);
  });

  test("leave no column with an old handle, except settings, addresses and records of the past", async () => {
    const kept = [
      // Posts that come under the old name are still refused and allowed.
      "blocked_user.account_identifier", "stream.consent_list",
      // Addresses and servers.
      "post.uri", "post.url", "post.author_url", "post.confirmed_by", "host_state.host",
      "audit_event.subject", "audit_event.before", "audit_event.after", "change.details",
    ]; // prettier-ignore
    await db.author_standing.create({
      data: { author_key: `ana@${HOST}`, standing: "muted", set_by: "Ann" },
    });
    await db.reported_opt_out.create({ data: { author_key: `ana@${HOST}`, reason: "asked" } });
    await db.blocked_user.create({ data: { account_identifier: `ana@${HOST}`, pattern_type: "exact" } });
    await makeStream({ consent_list: [`@ana@${HOST}`] });
    const posts = [
      await makePending({ author_username: "ana", instance: HOST }),
      await makePending({ author_username: "ana", instance: HOST }),
    ];
    await compactFigures(soon());
    posts.push(await makePending({ author_username: "ana", instance: HOST }));
    await db.post.delete({ where: { id: posts[2]?.id ?? 0 } });
    expect(await columnsWith(HOST)).toEqual(expect.arrayContaining(["post.author_key", "figure.key"]));
    await learnDomain();
    await correct();
    await applyBlockChanges({ deadline: soon() });
    expect((await columnsWith(HOST)).filter((column) => !kept.includes(column))).toEqual([]);
  });

  test("move the figures of present and deleted posts", async () => {
    await db.blocked_user.create({ data: { account_identifier: `@${HOST}`, pattern_type: "suffix" } });
    await makePending({ author_username: "ana", instance: HOST });
    const deleted = await makePending({ author_username: "ana", instance: HOST });
    await db.post.delete({ where: { id: deleted.id } });
    await compactFigures(soon());
    await makePending({ author_username: "ana", instance: DOMAIN });
    await learnDomain();
    await correct();
    await compactFigures(soon());
    expect(
      await db.$queryRaw`
        SELECT dimension, grain, key, metric, sum(n)::int AS n FROM figure
         WHERE dimension IN ('author', 'host') AND grain IN ('all', 'day') AND bucket = -1
         GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0 ORDER BY 1, 2, 4`,
    ).toEqual([
      { dimension: "author", grain: "day", key: `ana@${DOMAIN}`, metric: "approved", n: 3 },
      { dimension: "host", grain: "all", key: DOMAIN, metric: "posts", n: 2 },
      { dimension: "host", grain: "day", key: DOMAIN, metric: "approved", n: 3 },
      { dimension: "host", grain: "day", key: DOMAIN, metric: "fetched", n: 3 },
    ]);
    expect(await db.blocked_user.count({ where: { account_identifier: `@${DOMAIN}` } })).toBe(1);
  });

  test("are corrected in batches, by several processes, and go on after one was killed", async () => {
    const posts = [];
    for (let n = 0; n < 450; n++)
      posts.push(await makePost({ author_username: `many${n % 7}`, instance: HOST }));
    await learnDomain();
    await db.$executeRaw`UPDATE handle_change SET started = true`;
    const [approved] = posts;
    const approve = db.$transaction(async (tx) => {
      // As a review does.
      await tx.$executeRaw`SELECT FROM post WHERE id = ${approved?.id} FOR UPDATE`;
      await enqueuePosts(tx, [approved?.id ?? 0], new Date());
    });
    await Promise.all([correct(), correct(), approve]);
    await correct();
    expect(await db.post.count({ where: { instance: HOST } })).toBe(0);
    expect(await db.post.count({ where: { instance: DOMAIN } })).toBe(450);
    expect(await db.queue_entry.findFirst()).toMatchObject({ author_key: `many0@${DOMAIN}` });
    expect(await db.handle_change.count()).toBe(0);
  });
});
