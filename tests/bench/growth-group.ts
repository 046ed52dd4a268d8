import { setTimeout as sleep } from "node:timers/promises";
import { apiCaller, fetchToEnd } from "#tests/setup/api-client.ts";
import { query } from "#tests/setup/database.ts";
import { startWithAdmin } from "#tests/setup/installation.ts";
import type { Row } from "./api-group.ts";

const HASHTAG = "cats";

/**
 * Bytes that a post adds to the tables and to the log of PostgreSQL, by step of its life, with the triggers and the
 * worker of a running service. Pictures are not checked.
 */
export async function runGrowthGroup(posts: number): Promise<Row[]> {
  const settings = { AI_VISION: "off", MAX_POSTS_PER_FETCH: "400", BACKFILL_DAYS: "5" };
  const options = { hashtags: [HASHTAG], posts, settings, embeddedDatabase: true };
  const installation = await startWithAdmin(options, () => Promise.resolve({}));
  try {
    const { call, remote, app, databaseUrl } = installation;
    const rows: Row[] = [];
    let before = await measure(databaseUrl);
    const step = async (name: string, count: number, begun: number) => {
      const seconds = (performance.now() - begun) / 1000;
      await query(databaseUrl, "CHECKPOINT");
      const after = await measure(databaseUrl);
      rows.push({
        name,
        size: count,
        table_bytes: (after.tables - before.tables) / count,
        log_bytes: (after.log - before.log) / count,
        ms: (1000 * seconds) / count,
      });
      before = await measure(databaseUrl);
    };
    let begun = performance.now();
    const { json: stream } = await call<{ id: number }>("POST", "/streams", {
      hashtag: HASHTAG,
      instance: remote.host,
      enable_scheduling: false,
    });
    await fetchToEnd(call, stream.id);
    const ids = (
      await query<{ id: number }>(databaseUrl, "SELECT id FROM post WHERE reviewed_at IS NULL ORDER BY id")
    ).map(({ id }) => id);
    while ((await query(databaseUrl, "SELECT FROM post WHERE classified_at IS NULL LIMIT 1")).length > 0)
      await sleep(200);
    await step("fetch and check", ids.length, begun);
    begun = performance.now();
    for (const id of ids) await call("PATCH", `/posts/${id}`, { approved: true });
    await step("approve", ids.length, begun);
    await query(databaseUrl, "UPDATE queue_entry SET confirmed_at = now()");
    before = await measure(databaseUrl);
    const { json: made } = await call<{ api_key: string }>("POST", "/api-keys/generate", {
      scopes: ["consume"],
    });
    const consume = apiCaller(app.url, { "x-api-key": made.api_key });
    begun = performance.now();
    let taken = 0;
    for (;;) {
      const { status, json } = await consume<{ fenliu_post_id: number }>("GET", "/curated/next");
      if (status !== 200) break;
      await consume("POST", `/curated/${json.fenliu_post_id}/ack`);
      taken++;
    }
    await step("reserve and ack", taken, begun);
    for (const { name, bytes } of await query<{ name: string; bytes: number }>(
      databaseUrl,
      `SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC LIMIT 8`,
    ))
      rows.push({ name: `table ${name}`, size: ids.length, table_bytes: bytes / ids.length });
    return rows;
  } finally {
    await installation.stop();
  }
}

async function measure(url: string): Promise<{ tables: number; log: number }> {
  const [row] = await query<{ tables: number; log: number }>(
    url,
    `SELECT (SELECT sum(pg_total_relation_size(oid))::float8 FROM pg_class
              WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS tables,
            (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 AS log`,
  );
  return row ?? { tables: 0, log: 0 };
}
