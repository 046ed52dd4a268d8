import { beforeAll, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { PostQuery } from "#lib/review/filter-schema.ts";
import { listStatement } from "#lib/review/list-posts.ts";
import { planOf, vacuum } from "#tests/integration/database/large-table.ts";

describe("held_by among a million entries", () => {
  const ROWS = 1_000_000;
  const LIMIT = 20;

  beforeAll(async () => {
    await db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
        await tx.$executeRaw`SET LOCAL synchronous_commit = on`;
        await tx.$executeRaw`TRUNCATE queue_entry, post CASCADE`;
        // A switch holds half, a block one in ten thousand of the others, an unread source three in a hundred.
        await tx.$executeRaw`
          INSERT INTO queue_entry (post_id, approved_at, post_created_at, stream_id, author_key, holds)
          SELECT n, now() - (${ROWS} - n) * interval '1 second', now() - (${ROWS} - n) * interval '1 second', 1,
                 'author' || n % 50000 || '@x.example',
                 CASE WHEN n % 2 = 1 THEN 128 ELSE 0 END + CASE WHEN n % 20000 = 8 THEN 1 ELSE 0 END
                 + CASE WHEN n % 200 IN (10, 20, 30) THEN 8 ELSE 0 END
            FROM generate_series(1, ${ROWS}) n`;
        await tx.$executeRaw`
          INSERT INTO post (id, uri, author_username, author_account, author_key, instance, created_at, approved, reviewed_at)
          SELECT n, 'https://x.example/' || n, 'a', '@a@x.example', 'a@x.example', 'x.example', now(), true, now()
            FROM generate_series(1, ${ROWS}) n WHERE n > ${ROWS - 3_000}`;
      },
      { timeout: 240_000 },
    );
    for (const table of ["queue_entry", "post"]) await vacuum(table);
  }, 300_000);

  const plan = (query: string) =>
    planOf(
      listStatement(
        PostQuery.parse({ limit: String(LIMIT), ...Object.fromEntries(new URLSearchParams(query)) }),
        null,
      ),
    );

  // The count reads the held entries, the page its own rows; of few, it reads all and sorts them.
  it.each([
    ["held_by=any&queue_status=pending", 515_050],
    ["held_by=bot", 0],
    ["held_by=require_media&queue_status=pending", 500_000],
    ["held_by=require_alt_text&order=oldest", 0],
    ["held_by=unverifiable&order=oldest", 15_000],
  ])("?%s reads %i held", async (query, held) => {
    const { seqScans, rows, blocks, indexes } = await plan(query);
    expect(seqScans).not.toContain("queue_entry");
    expect(seqScans).not.toContain("post");
    if (held > 0) expect(indexes).toContain("queue_entry_confirmed_idx");
    expect(rows).toBeGreaterThanOrEqual(held);
    expect(rows).toBeLessThanOrEqual(held * (held > 100_000 ? 1.05 : 2) + 4 * LIMIT + 150);
    expect(blocks).toBeLessThanOrEqual(held / 80 + 1_000);
  });
});
