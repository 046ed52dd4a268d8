import { switches } from "#lib/queue/switches.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { db, type Tx } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { addBlock, removeBlock } from "#lib/blocking/blocks.ts";
import { listBlocks } from "#lib/blocking/block-lists.ts";
import { applyHoldChanges, noteHoldChanges, recomputeSlice } from "#lib/queue/hold-changes.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { enqueuePosts, refreshEntries } from "#lib/queue/queue-entries.ts";
import { next, settle } from "#tests/integration/queue/moves.ts";
import { LOCK_TIMEOUT } from "#tests/setup/database.ts";
import { makeKey, makePending, makePost, makeStream, picture } from "#tests/setup/factories.ts";
import { applyAll, holdsOf, reserveOne, wrongEntries } from "./filters-queue.ts";

const actor = servicePrincipal;
const block = (
  account_identifier: string,
  pattern_type: "exact" | "suffix" | "prefix" | "contains" = "exact",
) => addBlock("user", actor, { account_identifier, pattern_type });
const blockTag = (hashtag: string) => addBlock("hashtag", actor, { hashtag });
const pendingBy = (author: string, data: object = {}, at?: Date) => {
  const [author_username, instance] = author.split("@");
  return makePending({ author_username, instance, ...data }, at);
};
const approvedBy = (author: string) => {
  const [author_username, instance] = author.split("@");
  return makePost({ author_username, instance, approved: true, reviewed_at: new Date() });
};
const soon = () => ({ deadline: new Date(Date.now() + 10_000) });

beforeEach(async () => {
  await db.$executeRaw`
    TRUNCATE blocked_user, blocked_hashtag, hold_change, reported_opt_out, topical_tag, post, stream CASCADE`;
});

describe("a block holds pending posts, and removing it releases them", () => {
  test.each([
    ["exact", "spam@bad.example", ["spam@bad.example"]],
    ["suffix", "bad.example", ["spam@bad.example", "x@very.bad.example", "y@notbad.example"]],
    ["domain", "@bad.example", ["spam@bad.example", "x@very.bad.example"]],
    ["prefix", "spam", ["spam@bad.example", "spammer@good.example"]],
    ["contains", "pam", ["spam@bad.example", "spammer@good.example"]],
  ] as const)("%s %s", async (type, pattern, held) => {
    const posts = new Map<string, number>();
    for (const author of [
      "spam@bad.example",
      "x@very.bad.example",
      "y@notbad.example",
      "spammer@good.example",
      "cam@good.example",
    ])
      posts.set(author, (await pendingBy(author)).id);
    const kind =
      type === "domain" ? { pattern_type: "suffix" as const, subdomains: true } : { pattern_type: type };
    const entry = await addBlock("user", actor, { account_identifier: pattern, ...kind });
    for (const [author, id] of posts)
      expect(await holdsOf(db, id)).toBe(held.some((a) => a === author) ? 1 : 0);
    expect(entry).toMatchObject({ account_identifier: pattern, matches: held.length });
    expect((await listBlocks("user", {})).items).toMatchObject([{ id: entry.id, matches: held.length }]);
    await removeBlock("user", actor, entry.id);
    for (const id of posts.values()) expect(await holdsOf(db, id)).toBe(0);
    await applyAll(db);
  });

  test("matches a hashtag of the post or of its stream in any spelling", async () => {
    const stream = await makeStream({ hashtag: "Café" });
    const byStream = await makePending({ hashtags: ["x"], stream_id: stream.id });
    const byPost = await makePending({ hashtags: ["ＣＡＦÉ"] });
    const other = await makePending({ hashtags: ["cafeteria"] });
    const entry = await blockTag("cafe");
    const holds = () => Promise.all([byStream, byPost, other].map(({ id }) => holdsOf(db, id)));
    expect(await holds()).toEqual([2, 2, 0]);
    await removeBlock("hashtag", actor, entry.id);
    expect(await holds()).toEqual([0, 0, 0]);
  });

  test("keeps posts held that another pattern, list or reason holds", async () => {
    const { id } = await pendingBy("spam@bad.example", { hashtags: ["nonsense"], has_https_address: false });
    const exact = await block("spam@bad.example");
    const suffix = await block("@bad.example", "suffix");
    const tag = await blockTag("nonsense");
    expect(await holdsOf(db, id)).toBe(1 + 2 + holdBits["no https address"]);
    await removeBlock("user", actor, exact.id);
    expect(await holdsOf(db, id)).toBe(1 + 2 + holdBits["no https address"]);
    await removeBlock("hashtag", actor, tag.id);
    expect(await holdsOf(db, id)).toBe(1 + holdBits["no https address"]);
    await removeBlock("user", actor, suffix.id);
    expect(await holdsOf(db, id)).toBe(holdBits["no https address"]);
  });

  test("holds posts approved after the block at once", async () => {
    await block("spam@bad.example");
    await blockTag("nonsense");
    expect(await holdsOf(db, (await pendingBy("spam@bad.example")).id)).toBe(1);
    expect(await holdsOf(db, (await makePending({ hashtags: ["NonSense"] })).id)).toBe(2);
  });

  test("hands out no held post and returns released ones to their old place", async () => {
    const first = await pendingBy("spam@bad.example", {}, new Date(1000));
    const second = await makePending({}, new Date(2000));
    expect(await reserveOne(db)).toBe(first.id);
    const entry = await block("bad.example", "suffix");
    expect(await reserveOne(db)).toBe(second.id);
    await removeBlock("user", actor, entry.id);
    expect(await reserveOne(db)).toBe(first.id);
  });

  test("holds failed posts against a requeue and ignores delivered ones", async () => {
    const failed = await pendingBy("spam@bad.example");
    const delivered = await pendingBy("spam@bad.example");
    await db.$executeRaw`UPDATE queue_entry SET state = 'error', error_reason = 'x', errored_at = now() WHERE post_id = ${failed.id}`;
    await db.$executeRaw`UPDATE queue_entry SET state = 'delivered', delivered_at = now() WHERE post_id = ${delivered.id}`;
    await block("spam@bad.example");
    expect([await holdsOf(db, failed.id), await holdsOf(db, delivered.id)]).toEqual([1, 0]);
  });

  test("leaves a reserved post with its consumer and holds it when returned", async () => {
    const key = await makeKey();
    await pendingBy("spam@bad.example");
    await pendingBy("spam@bad.example");
    const [kept, givenBack] = [await next(key), await next(key)].map(({ json }) => json.fenliu_post_id);
    await block("spam@bad.example");
    expect((await settle("ack", key, kept ?? 0)).status).toBe(204);
    expect((await settle("nack", key, givenBack ?? 0)).status).toBe(204);
    expect((await next(key)).status).toBe(204);
    expect(await wrongEntries(db)).toEqual([]);
  });
});

describe("concurrent changes of lists and entries", () => {
  const enqueue = (tx: Tx, id: number) => enqueuePosts(tx, [id], new Date());
  const edit = async (tx: Tx, id: number) => {
    await tx.post.update({ where: { id }, data: { author_key: "spam@bad.example" } });
    await refreshEntries(tx, [id]);
  };
  const overlapping = [
    ["approval", () => approvedBy("spam@bad.example"), enqueue],
    ["edit", () => pendingBy("good@good.example"), edit],
  ] as const;

  test.each(overlapping)("an %s that read the list before a block ends held", async (_what, make, enter) => {
    const post = await make();
    await db.$transaction(async (tx) => {
      await enter(tx, post.id);
      const began = Date.now();
      await block("spam@bad.example");
      expect(Date.now() - began).toBeLessThan(2000);
    }, LOCK_TIMEOUT);
    // Before the second pass, too.
    expect(await reserveOne(db)).toBeNull();
    await applyAll(db);
    expect(await holdsOf(db, post.id)).toBe(1);
  });

  test.each(overlapping)(
    "an %s that read the list before its entry was removed ends free",
    async (_what, make, enter) => {
      const entry = await block("spam@bad.example");
      const post = await make();
      await db.$transaction(async (tx) => {
        await enter(tx, post.id);
        await removeBlock("user", actor, entry.id);
      }, LOCK_TIMEOUT);
      await applyAll(db);
      expect(await holdsOf(db, post.id)).toBe(0);
      expect(await reserveOne(db)).toBe(post.id);
    },
  );

  test("a slice that read the old list does not outlast the change", async () => {
    const { id } = await pendingBy("spam@bad.example");
    const entry = await db.blocked_user.create({
      data: { account_identifier: "spam@bad.example", pattern_type: "exact" },
    });
    const concerns = { pattern_type: "exact" as const, patterns: ["spam@bad.example"] };
    const [change = 0] = await db.$transaction((tx) => noteHoldChanges(tx, [concerns]));
    await db.$transaction(async (tx) => {
      await recomputeSlice(tx, change);
      await removeBlock("user", actor, entry.id);
    }, LOCK_TIMEOUT);
    await applyAll(db);
    expect(await holdsOf(db, id)).toBe(0);
  });

  test("a switch acts before the entries have its hold", async () => {
    const { id } = await makePending({ media: [picture()] });
    const bare = await makePending({}, new Date(1000));
    await db.$transaction(async (tx) => {
      await switches.set({ require_media: true }, tx);
      await noteHoldChanges(tx, [{ pattern_type: "switch", patterns: [] }]);
    });
    expect(await holdsOf(db, bare.id)).toBe(0);
    expect(await reserveOne(db)).toBe(id);
    await applyAll(db);
    expect(await holdsOf(db, bare.id)).toBe(holdBits.require_media);
    await switches.set({ require_media: false });
  });

  test("locked entries are skipped and processed later", async () => {
    const locked = await pendingBy("spam@bad.example");
    const free = await pendingBy("spam@bad.example");
    await db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT FROM queue_entry WHERE post_id = ${locked.id} FOR UPDATE`;
        const began = Date.now();
        await block("spam@bad.example");
        expect(Date.now() - began).toBeLessThan(4000);
        expect([await holdsOf(db, locked.id), await holdsOf(db, free.id)]).toEqual([0, 1]);
        // The worker must not retry in a loop.
        expect(await applyHoldChanges(soon())).toEqual({ worked: false });
      },
      { timeout: 15_000 },
    );
    await applyAll(db);
    expect(await holdsOf(db, locked.id)).toBe(1);
  });

  test("a block removed before it was applied holds nothing, and added again holds all", async () => {
    const { id } = await pendingBy("spam@bad.example");
    const change = (exists: boolean) =>
      db.$transaction(async (tx) => {
        if (exists)
          await tx.blocked_user.create({
            data: { account_identifier: "bad.example", pattern_type: "suffix" },
          });
        else await tx.blocked_user.deleteMany();
        await tx.$executeRaw`INSERT INTO hold_change (pattern_type, patterns) VALUES ('suffix', '{bad.example}')`;
      });
    for (const states of [[true, false], [true], [false, true], [false, true, false]]) {
      for (const exists of states) await change(exists);
      await applyAll(db);
      expect(await holdsOf(db, id)).toBe(states.at(-1) ? 1 : 0);
    }
  });
});
