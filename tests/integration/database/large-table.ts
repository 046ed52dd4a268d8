import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { makeStream } from "#tests/setup/factories.ts";

export interface LargeTable {
  streamIds: [number, number];
}

/**
 * Fills the database with triggers off: posts one second apart, fetched after a minute, reviewed after an
 * hour by one of twenty members, delivered or in error after two hours. One in fifty is unreviewed, or all
 * with `allUnreviewed`; two thirds of the others are approved, and filters rejected one in thirty. Every
 * post contains "otter" and "weir", one in 4 000 each "word0" to "word3999", one in 20 000 "rare".
 */
export async function fillPosts(rows: number, allUnreviewed = false): Promise<LargeTable> {
  const streamIds: [number, number] = [(await makeStream()).id, (await makeStream()).id];
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      // VACUUM marks a page all-visible only when the commit is on disk.
      await tx.$executeRaw`SET LOCAL synchronous_commit = on`;
      await tx.$executeRaw`
        INSERT INTO post (id, uri, url, content, plain_text, snippet, search, author_username, author_account,
          author_key, instance, created_at, hashtags, hashtags_folded, media, media_count, language, stream_id,
          approved, reviewed_at, fetched_at, reviewed_by_member, reviewed_by, auto_reject_reason, ai_score, ai_would_reject, vision_category, classified_at)
        SELECT n, 'https://x.example/' || n, 'https://x.example/@u/' || n,
               repeat('<p>An otter at the weir, number ' || n || '</p>', 12), repeat('An otter at the weir ', 12), 'An otter',
               array_to_tsvector(ARRAY['otter', 'weir', 'word' || n % 4000] || CASE WHEN n % 20000 = 7 THEN '{rare}' ELSE '{}' END::text[]),
               'user' || n % 5000, '@user' || n % 5000 || '@host' || n % 60 || '.example',
               'user' || n % 5000 || '@host' || n % 60 || '.example', 'host' || n % 60 || '.example',
               at.time, '{otters}', '{otters}',
               CASE WHEN n % 3 = 0 THEN '[{"type":"image","url":"https://x.example/m"}]' ELSE '[]' END::jsonb, (n % 3 = 0)::int,
               CASE n % 10 WHEN 0 THEN 'de' WHEN 1 THEN 'ja' ELSE 'en' END,
               CASE WHEN n % 1000 = 5 THEN ${streamIds[1]}::int ELSE ${streamIds[0]}::int END,
               CASE WHEN ${allUnreviewed}::boolean OR n % 50 = 0 THEN NULL ELSE n % 3 > 0 END,
               CASE WHEN ${allUnreviewed}::boolean OR n % 50 = 0 THEN NULL ELSE at.time + interval '1 hour' END,
               at.time + interval '1 minute', n % 20 + 1, 'Member ' || n % 20 + 1,
               CASE WHEN n % 30 = 0 THEN 'blocked_user' END, (n % 997) / 997.0, n % 10 = 3, CASE WHEN n % 3 > 0 THEN 'none' WHEN n % 300 = 0 THEN 'explicit' ELSE 'neutral' END, now()
          FROM generate_series(1, ${rows}::int) n, LATERAL (
                 SELECT now() - (${rows}::int - n) * interval '1 second' AS time) at`;
      await tx.$executeRaw`
        INSERT INTO queue_entry (post_id, state, approved_at, post_created_at, stream_id, author_key, delivered_at, lease_id, lease_expires_at, errored_at, error_reason)
        SELECT id, state, reviewed_at, created_at, stream_id, author_key, CASE state WHEN 'delivered' THEN reviewed_at + interval '1 hour' END,
               CASE state WHEN 'reserved' THEN gen_random_uuid() END, CASE state WHEN 'reserved' THEN now() END, CASE state WHEN 'error' THEN reviewed_at + interval '1 hour' END,
               CASE state WHEN 'error' THEN 'gone' END
          FROM post, LATERAL (SELECT CASE WHEN id % 40 = 1 THEN 'pending' WHEN id % 1000 = 2 THEN 'reserved'
                                          WHEN id % 500 = 4 THEN 'error' ELSE 'delivered' END AS state) s
         WHERE approved`;
      await tx.$executeRaw`INSERT INTO sighting (post_id, stream_id) SELECT id, stream_id FROM post`;
      await tx.$executeRaw`
        INSERT INTO tally_delta (stream_id, state, media, host, n)
        SELECT stream_id, CASE WHEN approved IS NULL THEN 'unreviewed' WHEN approved THEN 'approved'
                               WHEN auto_reject_reason IS NULL THEN 'rejected' ELSE 'auto_rejected' END,
               media_count > 0, instance, count(*) FROM post GROUP BY 1, 2, 3, 4
        UNION ALL SELECT stream_id, state, NULL, NULL, count(*) FROM queue_entry GROUP BY 1, 2`;
      await tx.$queryRaw`SELECT compact_tally()`;
      await tx.$executeRaw`SELECT setval(pg_get_serial_sequence('post', 'id'), ${rows}::int)`;
    },
    { timeout: 240_000 },
  );
  for (const table of ["post", "queue_entry", "sighting"]) await vacuum(table);
  return { streamIds };
}

/** Repeats VACUUM until index-only scans need no heap: autovacuum or an open snapshot may keep pages from all-visible. */
export async function vacuum(table: string, analyze = true): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await db.$executeRawUnsafe(`VACUUM (ANALYZE ${String(analyze)}, DISABLE_PAGE_SKIPPING) ${table}`);
    const [pages] = await db.$queryRaw<[{ all: number; visible: number }]>`
      SELECT relpages AS all, relallvisible AS visible FROM pg_class WHERE oid = ${table}::regclass`;
    if (pages.visible >= pages.all) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/**
 * Blocks of 8 kB that a statement touches, cached ones included. It runs twice and is taken back once: its first run on a
 * connection also reads the catalog, for some 3 000 blocks.
 */
export async function warmBlocks(tx: Tx, statement: Prisma.Sql): Promise<number> {
  const run = () =>
    tx.$queryRaw<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }[]>(
      Prisma.sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
    );
  await tx.$executeRaw`SAVEPOINT cold`;
  await run();
  await tx.$executeRaw`ROLLBACK TO SAVEPOINT cold`;
  const plan = (await run())[0]?.["QUERY PLAN"][0].Plan;
  return (plan?.["Shared Hit Blocks"] ?? NaN) + (plan?.["Shared Read Blocks"] ?? NaN);
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Heap Fetches"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: PlanNode[];
}

export interface Plan {
  seqScans: string[];
  indexes: string[];
  /** Rows read from the table `post`, including discarded ones, without index-only scans. */
  postRows: number;
  /** Rows read from all tables but `tally`, which is so small here that it may be read whole. */
  rows: number;
  /** Blocks of 8 kB, cached ones included. */
  blocks: number;
}

export async function planOf(statement: Prisma.Sql): Promise<Plan> {
  const answer = await db.$queryRaw<{ "QUERY PLAN": [{ Plan: PlanNode }] }[]>(
    Prisma.sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
  );
  const top = answer[0]?.["QUERY PLAN"][0].Plan as PlanNode;
  const plan: Plan = {
    seqScans: [],
    indexes: [],
    postRows: 0,
    rows: 0,
    blocks: top["Shared Hit Blocks"] + top["Shared Read Blocks"],
  };
  walk(top, plan);
  return plan;
}

function walk(node: PlanNode, plan: Plan): void {
  const table = node["Relation Name"];
  if (node["Node Type"] === "Seq Scan" && table !== undefined) plan.seqScans.push(table);
  if (node["Index Name"] !== undefined) plan.indexes.push(node["Index Name"]);
  if (table !== undefined && node["Node Type"].includes("Scan")) {
    const dropped = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
    const rows = (node["Actual Rows"] + dropped) * node["Actual Loops"];
    if (table !== "tally") plan.rows += rows;
    if (table === "post")
      plan.postRows += node["Node Type"] === "Index Only Scan" ? (node["Heap Fetches"] ?? 0) : rows;
  }
  for (const inner of node.Plans ?? []) walk(inner, plan);
}
