import { spawn } from "node:child_process";
import path from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import { isLockConflict } from "#lib/base/errors.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { addBlock, removeBlock } from "#lib/blocking/blocks.ts";
import { countMatches } from "#lib/blocking/find-blocks.ts";
import { patternTypes, type StoredPatternType } from "#lib/blocking/schema.ts";
import { reportOptOut, resolveOptOut } from "#lib/collect/opt-outs.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { applyHoldChanges, noteHoldChanges } from "#lib/queue/hold-changes.ts";
import { enqueuePosts, refreshEntries } from "#lib/queue/queue-entries.ts";
import { applyAll, wrongEntries } from "#tests/integration/filters/filters-queue.ts";
import { makePost, makePosts } from "#tests/setup/factories.ts";

/*
 * Invariant: after concurrent operations, each entry's holds equal a check of the lists pattern by pattern.
 */

const actor = servicePrincipal;
const users = ["ann", "bob", "bobby", "robot", "newsbot", "bot"];
const hosts = ["a.example", "b.example", "sub.a.example"];
const tags = ["cats", "Café", "dogs", "cafe", "bots"];
const types = [...patternTypes, "domain"] as const;
const patterns: Record<StoredPatternType, string[]> = {
  exact: ["bob@a.example", "bot@b.example", "ann@sub.a.example"],
  suffix: ["@a.example", ".a.example", "a.example", "bot@b.example"],
  prefix: ["bob", "bot", "news", "ann@"],
  contains: ["bot", "ob", "@sub", "b@a"],
  domain: ["a.example", "sub.a.example", "example"],
};

beforeEach(async () => {
  await db.$executeRaw`
    TRUNCATE blocked_user, blocked_hashtag, hold_change, reported_opt_out, post, stream CASCADE`;
});

type Step =
  | { do: "block" | "unblock"; type: StoredPatternType; n: number }
  | { do: "block_tag" | "unblock_tag"; n: number }
  | { do: "opt_out" | "dismiss" | "approve" | "take_back" | "edit" | "reserve"; n: number }
  | { do: "batch" };

const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

async function tolerated(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof ApiError) && !isLockConflict(error)) throw error;
  });
}

async function perform(step: Step, posts: number[]): Promise<void> {
  switch (step.do) {
    case "block":
      return tolerated(
        addBlock("user", actor, {
          account_identifier: at(patterns[step.type], step.n),
          ...(step.type === "domain"
            ? { pattern_type: "suffix", subdomains: true }
            : { pattern_type: step.type }),
        }),
      );
    case "unblock": {
      const row = await db.blocked_user.findFirst({
        where: { account_identifier: at(patterns[step.type], step.n), pattern_type: step.type },
      });
      return row ? tolerated(removeBlock("user", actor, row.id)) : undefined;
    }
    case "block_tag":
      return tolerated(addBlock("hashtag", actor, { hashtag: at(tags, step.n) }));
    case "unblock_tag": {
      const row = await db.blocked_hashtag.findFirst({
        where: { hashtag_folded: foldHashtag(at(tags, step.n)) },
      });
      return row ? tolerated(removeBlock("hashtag", actor, row.id)) : undefined;
    }
    case "opt_out":
      return reportOptOut(actor, () =>
        Promise.resolve({ author_key: author(step.n).author_key, post_id: 1, reason: "nobot" }),
      );
    case "dismiss":
      await resolveOptOut(actor, author(step.n).author_key, "dismissed");
      return;
    case "approve":
      return tolerated(
        db.$transaction((tx) => enqueuePosts(tx, [at(posts, step.n), at(posts, step.n + 1)], new Date())),
      );
    case "take_back":
      await db.queue_entry.deleteMany({ where: { post_id: at(posts, step.n), state: "pending" } });
      return;
    case "edit":
      return tolerated(
        db.$transaction(async (tx) => {
          const hashtags = [at(tags, step.n), at(tags, step.n * 7 + 3)];
          const data = { hashtags, hashtags_folded: hashtags.map(foldHashtag) };
          await tx.post.update({ where: { id: at(posts, step.n) }, data });
          await refreshEntries(tx, [at(posts, step.n)]);
        }),
      );
    case "reserve":
      await db.$executeRaw`SELECT queue_reserve(queue_identify(NULL, 1, 'test'), false, '{false}', 'UTC', 1)`;
      return;
    case "batch":
      await applyHoldChanges({ deadline: new Date(Date.now() + 50) });
      return;
  }
}

function author(n: number) {
  const author_username = at(users, n);
  const instance = at(hosts, Math.floor(n / users.length));
  return { author_username, instance, author_key: `${author_username}@${instance}` };
}

const makeBlockable = (count: number) =>
  makePosts(count, (n) => ({
    ...author(n),
    hashtags: n % 3 === 0 ? [at(tags, n), at(tags, n + 2)] : ["other"],
    approved: true,
    reviewed_at: new Date(),
  }));

const anyN = fc.nat(1000);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("block", "unblock"),
      type: fc.constantFrom(...types),
      n: anyN,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("block_tag", "unblock_tag"), n: anyN }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom("approve", "take_back", "edit", "reserve"), n: anyN }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("opt_out", "dismiss"), n: anyN }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "batch" } as const) },
);

async function emptyTables(): Promise<void> {
  await db.$executeRaw`TRUNCATE blocked_user, blocked_hashtag, hold_change, reported_opt_out, post CASCADE`;
}

async function expectEntriesOfLists(): Promise<void> {
  await applyAll(db);
  expect(await wrongEntries(db)).toEqual([]);
}

describe("after random changes", () => {
  test("in sequence, entries equal the lists", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
          const posts = await makeBlockable(24);
          for (const each of steps) await perform(each, posts);
          await expectEntriesOfLists();
        })
        .beforeEach(emptyTables),
      { numRuns: 12 },
    );
  });

  test("by four at once, entries equal the lists", { timeout: 120_000 }, async () => {
    const lane = fc.array(step, { minLength: 8, maxLength: 20 });
    await fc.assert(
      fc
        .asyncProperty(fc.tuple(lane, lane, lane, lane), async (lanes) => {
          const posts = await makeBlockable(24);
          await db.$transaction((tx) => enqueuePosts(tx, posts.slice(0, 12), new Date()));
          await Promise.all(
            lanes.map(async (steps) => {
              for (const each of steps) await perform(each, posts);
            }),
          );
          await expectEntriesOfLists();
        })
        .beforeEach(emptyTables),
      { numRuns: 8 },
    );
  });
});

test("indexed lookups of the lists equal a check pattern by pattern", async () => {
  const piece = fc.constantFrom(
    "bot",
    "bo",
    "o",
    "@",
    ".",
    "a",
    "news",
    "例",
    "🤖",
    "x-y",
    "host",
    "%",
    "_",
    "\\",
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
  const account = fc.tuple(text, text).map((parts) => parts.join("@"));
  const pattern = fc.record({ pattern_type: fc.constantFrom(...patternTypes), account_identifier: text });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(pattern, {
        maxLength: 30,
        selector: (p) => `${p.pattern_type} ${p.account_identifier}`,
      }),
      fc.uniqueArray(account, { minLength: 1, maxLength: 20 }),
      async (listed, authors) => {
        await db.$executeRaw`TRUNCATE blocked_user, post CASCADE`;
        await db.blocked_user.createMany({ data: listed });
        for (const author_key of authors) {
          await makePost({
            author_key,
            approved: false,
            reviewed_at: new Date(Date.now() + 60_000),
            auto_reject_reason: "blocked_user",
          });
        }
        const judged = await db.$queryRaw<object[]>`
          SELECT p.author_key, hold_bits(p.author_key, '{}', p.related) & 1 = 1 AS bits,
                 EXISTS (SELECT FROM blocked_user b WHERE user_pattern_matches(b.pattern_type, b.account_identifier, p.author_key)) AS rule
            FROM post p`;
        expect(judged.filter((row) => !("rule" in row))).toEqual([]);
        for (const row of judged as { bits: boolean; rule: boolean }[]) {
          expect(row).toMatchObject({ bits: row.rule });
        }
        const counted = await db.$queryRaw<{ id: number; n: number }[]>`
          SELECT b.id, count(p.id)::int AS n FROM blocked_user b
            LEFT JOIN post p ON user_pattern_matches(b.pattern_type, b.account_identifier, p.author_key) GROUP BY b.id`;
        const ids = counted.map((row) => row.id);
        const matches = await countMatches("user", ids);
        for (const { id, n } of counted) expect(matches.get(id) ?? 0).toBe(n);
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);

test("another worker finishes the change of a killed worker", async () => {
  const size = 20_000;
  await db.$executeRaw`
    INSERT INTO post (uri, author_username, author_account, author_key, instance, created_at, approved, reviewed_at)
    SELECT 'https://h.example/' || i, 'u' || i, '@u' || i || '@h.example', 'u' || i || '@h.example', 'h.example', now(), true, now()
      FROM generate_series(1, ${size}::int) i`;
  await db.$executeRaw`SELECT queue_enqueue(ARRAY(SELECT id FROM post), now())`;
  await db.$transaction(async (tx) => {
    await tx.blocked_user.create({ data: { account_identifier: "7@h.example", pattern_type: "suffix" } });
    await tx.blocked_user.create({ data: { account_identifier: "u1", pattern_type: "prefix" } });
    await noteHoldChanges(tx, [{ pattern_type: "any", patterns: [] }]);
  });
  const script = `
    const { applyHoldChanges } = await import("#lib/queue/hold-changes.ts");
    await applyHoldChanges({ deadline: new Date(Date.now() + 120_000) });`;
  const worker = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: path.resolve(import.meta.dirname, "../../.."),
    env: { ...process.env, LOG_LEVEL: "silent" },
    stdio: "ignore",
  });
  const gone = new Promise<NodeJS.Signals | null>((resolve) =>
    worker.once("exit", (_code, signal) => resolve(signal)),
  );
  await expect
    .poll(async () => (await db.hold_change.findFirst())?.after_id, { interval: 2, timeout: 90_000 })
    .toBeGreaterThan(0);
  worker.kill("SIGKILL");
  expect(await gone).toBe("SIGKILL");
  expect((await wrongEntries(db)).length).toBeGreaterThan(0);
  await applyAll(db);
  expect(await wrongEntries(db)).toEqual([]);
}, 150_000);
