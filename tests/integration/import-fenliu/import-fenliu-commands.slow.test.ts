import { expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { SECRETS } from "#tests/integration/runtime/backup-database.ts";
import { sluice, start } from "#tests/integration/runtime/command-process.ts";
import { approved, fenLiuPost, fenLiuStream, makeFenLiuFile } from "./fenliu-file.ts";

const settings = () => ({
  DATABASE_URL: process.env.DATABASE_URL ?? "",
  NEXTAUTH_URL: "http://localhost:3000",
  ...SECRETS,
});

const POSTS = 4_000;

test("a killed import has changed nothing and can be repeated", { timeout: 600_000 }, async () => {
  const file = makeFenLiuFile(
    {
      hashtag_streams: [fenLiuStream],
      posts: Array.from({ length: POSTS }, (_, i) =>
        fenLiuPost(i + 1, i % 2 === 0 ? approved(i % 4 === 0 ? "pending" : "delivered") : {}),
      ),
      review_feedback: [{ post_id: 9_000, decision: "rejected" }],
      blocked_users: [{ account_identifier: "spam.example", pattern_type: "contains", notes: "n" }],
      queue_stats: [{ total_deleted_delivered: 5, total_deleted_reserved: 0, total_deleted_pending: 0 }],
    },
    2,
  );
  const killed = start("lib/runtime/cli/cli.ts", ["import-fenliu", file], settings());
  const isStoring = () => db.$queryRaw<unknown[]>`SELECT FROM pg_locks WHERE mode = 'ShareRowExclusiveLock'`;
  await expect.poll(isStoring, { timeout: 60_000, interval: 5 }).toHaveLength(1);
  killed.child.kill("SIGKILL");
  await killed.ended;
  expect(await db.post.count()).toBe(0);

  const again = await sluice(["import-fenliu", file], settings());
  expect(again).toMatchObject({
    code: 0,
    output: expect.stringContaining("The import is complete.") as string,
  });
  expect(again.output).toMatch(/^Posts: .*pending 1000/m);
  expect(await db.post.count()).toBe(POSTS);
  expect(
    await db.queue_entry.groupBy({ by: ["state"], _count: true, orderBy: { state: "asc" } }),
  ).toMatchObject([
    { state: "delivered", _count: 1_000 },
    { state: "pending", _count: 1_000 },
  ]);
  expect(await db.post_event.count({ where: { action: "import" } })).toBe(POSTS);
  expect(await db.blocked_user.count()).toBe(1);
});
