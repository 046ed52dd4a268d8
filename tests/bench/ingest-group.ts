import { readFile } from "node:fs/promises";
import { db, disconnectDb } from "#lib/base/db.ts";
import { forgetEnv } from "#lib/base/env.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { newPostScorer } from "#lib/checks/score/score-texts.ts";
import { ingestPosts } from "#lib/collect/ingest-posts.ts";
import { newText, readPostTexts } from "#lib/collect/post-row.ts";
import { streamDefaults } from "#lib/collect/stream-schema.ts";
import { normaliseStatus, pageBudget } from "#lib/fediverse/normalise-status.ts";
import { ACCOUNT, CONTEXT, STATUS } from "#tests/setup/status-sample.ts";
import { seeded } from "#tests/simulated-server/random.ts";
import { writeText } from "#tests/simulated-server/texts.ts";
import type { Row } from "./api-group.ts";
import { startDatabase } from "./server.ts";

const PAGE = 40;
const STREAM = {
  id: 1,
  hashtag_folded: "cats",
  hashtag: "cats",
  instance: CONTEXT.host,
  ...streamDefaults,
};

/**
 * Row `ingest`: new posts with their checks, from the JSON of a page to its commit. Row `plain insert`: the finished rows
 * into a copy of the table with the same indexes, one statement a page. Figures are of processor
 * time, so that other work on the machine does not count. Pages of several streams are read and stored beside each other, so
 * `rps` is that of the busier process: this one or PostgreSQL.
 */
export async function runIngestGroup(pages: number): Promise<Row[]> {
  const database = await startDatabase();
  Object.assign(process.env, { DATABASE_URL: database.url, SLUICE_BUILT_IN_DATABASE: "1" });
  forgetEnv();
  try {
    await db.$executeRaw`INSERT INTO stream (hashtag, hashtag_folded, instance) VALUES ('cats', 'cats', ${STREAM.instance})`;
    await db.$executeRaw`CREATE TABLE plain (LIKE post INCLUDING ALL)`;
    const scorer = await newPostScorer();
    const ingest = async (statuses: unknown[]) => {
      const context = { ...CONTEXT, budget: pageBudget() };
      const entries = statuses.map((status) => normaliseStatus(status, context));
      const posts = entries.flatMap((entry) => (entry.ok ? entry.post : []));
      await readPostTexts(posts);
      const checks = await scorer.score(posts.map((post) => newText(post, STREAM.hashtag)));
      await inTransaction((tx) => ingestPosts(tx, STREAM, entries, { checks }));
    };
    const plain = (n: number) =>
      db.$executeRaw`INSERT INTO plain SELECT * FROM post WHERE id > ${n * PAGE} AND id <= ${(n + 1) * PAGE}`;
    const made = pagesOf(pages + 25);
    for (const page of made.slice(0, 25)) await ingest(page);
    const rows = [await measure("ingest", made.slice(25), ingest)];
    return [...rows, await measure("plain insert", made.map((_, n) => n).slice(25), plain)];
  } finally {
    await disconnectDb();
    await database.stop();
  }
}

function pagesOf(count: number): unknown[][] {
  const random = seeded("ingest");
  return Array.from({ length: count }, (_, page) =>
    Array.from({ length: PAGE }, (_, i) => {
      const id = String(1000 + page * PAGE + i);
      const name = `author${random.between(0, 2000)}`;
      const uri = `https://mastodon.example/users/${name}/statuses/${id}`;
      const content = `<p>${writeText(random, "en", "cats").join(" ")} ${id} <a href="https://mastodon.example/tags/cats" class="mention hashtag" rel="tag">#<span>cats</span></a></p>`;
      const account = { ...ACCOUNT, username: name, acct: name, url: `https://mastodon.example/@${name}` };
      return { ...STATUS, id, uri, url: `${account.url}/${id}`, content, account };
    }),
  );
}

async function measure<T>(
  name: string,
  pages: readonly T[],
  store: (page: T) => Promise<unknown>,
): Promise<Row> {
  const size = pages.length * PAGE;
  const began = [performance.now(), await postgresMs()] as const;
  const node = process.cpuUsage();
  for (const page of pages) await store(page);
  const { user, system } = process.cpuUsage(node);
  const node_ms = (user + system) / 1000;
  const postgres_ms = (await postgresMs()) - began[1];
  const wall_ms = performance.now() - began[0];
  return {
    name,
    size,
    rps: (1000 * size) / Math.max(node_ms, postgres_ms),
    node_ms: node_ms / size,
    postgres_ms: postgres_ms / size,
    wall_ms: wall_ms / size,
  };
}

/** Processor time of the connections of this process. Linux only. */
async function postgresMs(): Promise<number> {
  const rows = await db.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' ORDER BY pid`;
  const times = await Promise.all(
    rows.map(async ({ pid }) => {
      const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
      return 10 * (Number(fields[11]) + Number(fields[12]));
    }),
  );
  return times.reduce((sum, time) => sum + time, 0);
}
