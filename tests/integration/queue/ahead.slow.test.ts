import { beforeAll, describe, expect, it } from "vitest";
import { hashKey } from "#lib/accounts/api-key.ts";
import { db, Prisma } from "#lib/base/db.ts";
import { planSourceChecks } from "#lib/collect/plan-checks.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { warmBlocks } from "#tests/integration/database/large-table.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { addEvents } from "#tests/setup/figures.ts";

/* Source checks of a day, and the cost of a reserve, in a long queue of which few posts are confirmed. */

const ROWS = 100_000;
const PER_DAY = 240;
let key: ReturnType<typeof hashKey>;

beforeAll(async () => {
  key = hashKey(await makeKey());
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`
        INSERT INTO post (id, uri, author_username, author_account, author_key, instance, created_at, approved, reviewed_at)
        SELECT n, 'https://host' || n % 50 || '.example/' || n, 'a', '@a@x.example', 'a' || n % 5000 || '@x.example',
               'x.example', now(), true, now() FROM generate_series(1, ${ROWS}::int) n`;
      await tx.$executeRaw`
        INSERT INTO queue_entry (post_id, approved_at, post_created_at, author_key, holds)
        SELECT id, now() - (${ROWS}::int - id) * interval '1 minute', now(), author_key, ${holdBits.unconfirmed}::smallint
          FROM post`;
    },
    { timeout: 120_000 },
  );
  await db.$executeRaw`VACUUM ANALYZE queue_entry, post`;
}, 180_000);

const plan = () => planSourceChecks({ deadline: new Date(Date.now() + 60_000) });

/** An hour passes: deliveries of that hour, and every check that is due succeeds. */
async function hour(random: boolean): Promise<{ checks: number; missed: number }> {
  let missed = 0;
  let checks = 0;
  for (let n = 0; n < PER_DAY / 24; n++) {
    await plan();
    checks += await db.$executeRaw`
      WITH done AS (DELETE FROM source_check RETURNING post_id)
      UPDATE queue_entry q SET confirmed_at = now(), holds = 0 FROM done WHERE q.post_id = done.post_id`;
    const rows = await db.$queryRaw<{ outcome: string; post_id: number }[]>`
      SELECT outcome, post_id FROM queue_reserve(queue_identify(${key}::bytea, NULL, NULL), ${random}::boolean, '{false}', 'UTC', 300, 24)`;
    if (rows[0]?.outcome !== "ok") missed++;
    else
      await db.$executeRaw`UPDATE queue_entry SET state = 'delivered', lease_id = NULL, lease_expires_at = NULL,
        delivered_at = now() WHERE post_id = ${rows[0].post_id}`;
  }
  await db.$executeRaw`UPDATE queue_entry SET confirmed_at = confirmed_at - interval '1 hour' WHERE holds = 0`;
  return { checks, missed };
}

describe(`a day with ${PER_DAY} deliveries from ${ROWS} unconfirmed posts`, () => {
  it.each(["oldest", "random"])(
    "%s: needs few checks, and no consumer waits",
    async (kind) => {
      const forgetEvents = () => db.$executeRaw`DELETE FROM tally_delta WHERE event IS NOT NULL`;
      await db.tally.deleteMany({ where: { kind: "hour" } });
      await forgetEvents();
      await addEvents("delivered", [[2, PER_DAY]]);
      await db.$executeRaw`SELECT compact_tally()`;
      await db.$executeRaw`UPDATE queue_entry SET holds = ${holdBits.unconfirmed}::smallint WHERE holds = 0`;
      let checks = 0;
      let missed = 0;
      for (let n = 0; n < 24; n++) {
        const figures = await hour(kind === "random");
        await forgetEvents();
        checks += figures.checks;
        missed += figures.missed;
      }
      if (process.env.TEST_FIGURES) console.log(kind, checks, missed);
      expect(missed).toBe(0);
      expect(checks).toBeLessThanOrEqual(3 * PER_DAY);
    },
    300_000,
  );

  it("a reserve touches few blocks", async () => {
    await db.$executeRaw`VACUUM ANALYZE queue_entry`;
    for (const random of [false, true]) {
      const call = Prisma.sql`SELECT * FROM queue_reserve(queue_identify(${key}::bytea, NULL, NULL), ${random}::boolean, '{false}', 'UTC', 300, 24)`;
      expect(await db.$transaction((tx) => warmBlocks(tx, call))).toBeLessThan(1_500);
    }
  });
});
