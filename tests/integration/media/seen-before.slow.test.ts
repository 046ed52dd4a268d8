import { expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { MAX_COMPARED, seenStatement } from "#lib/media/picture-hashes.ts";
import { planOf, vacuum } from "#tests/integration/database/large-table.ts";
import { makePost } from "#tests/setup/factories.ts";

test("pictures seen before are looked for among a bounded number, in one pass", async () => {
  const { id } = await makePost();
  const posts = 60_000;
  await db.$transaction([
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.$executeRaw`
      INSERT INTO picture_hash (post_id, medium, source, dhash, phash)
      SELECT 1000000 + n, 0, 'x', (hashint8extended(n, 1))::bit(64), (hashint8extended(n, 2))::bit(64)
        FROM generate_series(1, ${posts}::int) n`,
  ]);
  await vacuum("picture_hash");
  await db.$executeRaw`
    INSERT INTO picture_hash (post_id, medium, source, dhash, phash) VALUES (${id}, 0, 'own', 1::bit(64), 2::bit(64))`;
  const { indexes, seqScans, rows, blocks } = await planOf(seenStatement(id));
  expect(seqScans).not.toContain("picture_hash");
  expect(indexes).toContain("picture_hash_pkey");
  expect(rows).toBeLessThanOrEqual(MAX_COMPARED + 10);
  // A fingerprint takes about 90 bytes, an index entry a quarter of that.
  expect(blocks).toBeLessThan(MAX_COMPARED / 50);
  expect(MAX_COMPARED).toBeLessThan(posts);
});
