import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createHash, randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import pg from "pg";
import { Pool } from "undici";
import { startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import { migrate } from "#lib/runtime/postgres/migrate.ts";
import { startApp, type App } from "#tests/setup/installation.ts";

/*
 * 32 consumers, some of which nack or never answer, while the web process is killed three times. Every post is
 * delivered once.
 */

const POSTS = 2_000;
const CONSUMERS = 32;
const TIMEOUT_SECONDS = 3;

async function webPid(supervisor: number): Promise<number | null> {
  const children = (await readFile(`/proc/${supervisor}/task/${supervisor}/children`, "utf8"))
    .trim()
    .split(/\s+/);
  for (const pid of children.filter(Boolean)) {
    // Before the process sets its title, its arguments identify it.
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (/web\.ts|sluice-web|next-server/.test(line)) return Number(pid);
  }
  return null;
}

interface Deed {
  delivered: Set<number>;
  conflicts: number;
  failures: number;
}

async function consume(
  pool: Pool,
  key: string,
  number: number,
  deed: Deed,
  done: () => boolean,
): Promise<void> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  let turn = number;
  while (!done()) {
    try {
      const answer = await pool.request({ method: "GET", path: "/api/v1/curated/next", headers });
      if (answer.statusCode !== 200) {
        await answer.body.dump();
        if (answer.statusCode !== 204) deed.failures++;
        await new Promise((resolve) => setTimeout(resolve, 100));
        continue;
      }
      const item = (await answer.body.json()) as { fenliu_post_id: number };
      const lease = answer.headers.etag as string;
      turn += 1;
      // One in ten nacks, one in fifty never answers.
      if (turn % 50 === 7) continue;
      const verb = turn % 10 === 3 ? "nack" : "ack";
      const settled = await pool.request({
        method: "POST",
        path: `/api/v1/curated/${item.fenliu_post_id}/${verb}`,
        headers: { ...headers, "if-match": lease },
      });
      await settled.body.dump();
      if (settled.statusCode === 204 && verb === "ack") deed.delivered.add(item.fenliu_post_id);
      else if (settled.statusCode === 409 || settled.statusCode === 412) deed.conflicts++;
      else if (settled.statusCode >= 500) deed.failures++;
    } catch {
      // The server was killed during the call, so only the database knows the result.
      deed.failures++;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

test("32 consumers and three kills: every acked post is delivered, none is held twice, none is lost", async () => {
  test.setTimeout(240_000);
  const folder = await mkdtemp(path.join(tmpdir(), "sluice-consumers-"));
  await chmod(folder, 0o711);
  const database = await startEmbeddedPostgres({
    dataDir: path.join(folder, "database"),
    durable: true,
  });
  const client = new pg.Client({ connectionString: database.url });
  let app: App | undefined;
  try {
    await migrate(database.url);
    await client.connect();
    const key = `slc_${randomUUID()}`;
    await client.query(
      `INSERT INTO member (id, email, name, role) VALUES (1, 'maker@example.org', 'Maker', 'admin')`,
    );
    await client.query(
      `INSERT INTO api_key (name, prefix, last_characters, key_hash, scopes, created_by) VALUES ('bot', 'slc_', 'xxxx', $1, '{consume}', 1)`,
      [createHash("sha256").update(key).digest()],
    );
    await client.query(
      `INSERT INTO post (uri, url, content, snippet, author_username, author_account, author_key, instance, created_at, approved, reviewed_at, approved_at, confirmed_at)
       SELECT 'https://social.example/' || n, 'https://social.example/' || n, '', 'Post ' || n, 'a', '@a@social.example', 'a@social.example',
              'social.example', now(), true, now(), now(), now() FROM generate_series(1, $1::int) n`,
      [POSTS],
    );
    await client.query(`SELECT queue_enqueue(ARRAY(SELECT id FROM post), now())`);

    app = await startApp({
      dataDir: path.join(folder, "data"),
      settings: {
        DATABASE_URL: database.url,
        RESERVE_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS),
        LOG_LEVEL: "fatal",
      },
      logFile: path.join(folder, "app.log"),
    });
    const supervisor = app.pid;
    const deed: Deed = { delivered: new Set(), conflicts: 0, failures: 0 };
    let finished = false;
    const pool = new Pool(app.url, { connections: CONSUMERS, headersTimeout: 30_000 });
    const consumers = Array.from({ length: CONSUMERS }, (_, i) =>
      consume(pool, key, i * 17, deed, () => finished),
    );

    const deliveredNow = async () => {
      const { rows } = await client.query<{ n: string }>(
        "SELECT count(*) AS n FROM queue_entry WHERE state = 'delivered'",
      );
      return Number(rows[0]?.n);
    };
    const killed: number[] = [];
    for (const threshold of [POSTS * 0.15, POSTS * 0.4, POSTS * 0.65]) {
      await expect.poll(deliveredNow, { timeout: 90_000, intervals: [50] }).toBeGreaterThan(threshold);
      await expect.poll(() => webPid(supervisor), { timeout: 20_000, intervals: [50] }).not.toBeNull();
      const pid = (await webPid(supervisor)) as number;
      process.kill(pid, "SIGKILL");
      killed.push(pid);
      await expect.poll(() => webPid(supervisor), { timeout: 20_000, intervals: [50] }).not.toBe(pid);
    }
    expect(new Set(killed).size).toBe(3);
    await expect.poll(deliveredNow, { timeout: 120_000, intervals: [200] }).toBe(POSTS);
    finished = true;
    await Promise.all(consumers);
    await pool.close();

    for (const id of deed.delivered) expect(id).toBeGreaterThan(0);
    expect(deed.delivered.size).toBeLessThanOrEqual(POSTS);
    expect(deed.failures).toBeGreaterThan(0);
    // Posts without exactly one ack, or with overlapping reservations.
    const { rows: wrong } = await client.query(
      `WITH life AS (
         SELECT post_id, action, lead(action) OVER (PARTITION BY post_id ORDER BY id) AS following
           FROM post_event WHERE action IN ('reserve', 'ack', 'nack', 'time_out'))
       SELECT post_id, action, following FROM life
        WHERE (action = 'reserve' AND (following IS NULL OR following = 'reserve'))
           OR (action <> 'reserve' AND following IS NOT NULL AND following <> 'reserve')
           OR (action = 'ack' AND following IS NOT NULL)`,
    );
    expect(wrong).toEqual([]);
    const { rows: sums } = await client.query(
      `SELECT count(*)::int AS posts, count(*) FILTER (WHERE state = 'delivered')::int AS delivered,
              (SELECT count(*)::int FROM post_event WHERE action = 'ack') AS acks,
              (SELECT count(*)::int FROM post_event WHERE action = 'nack') AS nacks,
              (SELECT count(*)::int FROM post_event WHERE action = 'time_out') AS timeouts,
              (SELECT sum(n)::int FROM tally_now('{total}') WHERE key = '' AND metric = 'delivered') AS counted,
              (SELECT sum(n)::int FROM tally_now('{level}') WHERE key = '' AND metric IN ('pending', 'reserved')) AS open
         FROM queue_entry`,
    );
    expect(sums[0]).toMatchObject({ posts: POSTS, delivered: POSTS, acks: POSTS, counted: POSTS, open: 0 });
    const { nacks, timeouts } = sums[0] as { nacks: number; timeouts: number };
    expect(nacks).toBeGreaterThan(100);
    expect(timeouts).toBeGreaterThan(20);
    console.log(
      `${POSTS} posts, ${nacks} given back, ${timeouts} timed out, ${deed.conflicts} late answers, 3 kills`,
    );
  } finally {
    await app?.stop();
    await client.end();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
