import { readFileSync } from "node:fs";
import { db, disconnectDb } from "#lib/base/db.ts";
import { forgetEnv } from "#lib/base/env.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { newPostScorer } from "#lib/checks/score/score-texts.ts";
import { ingestPosts } from "#lib/collect/ingest-posts.ts";
import { newText, readPostTexts } from "#lib/collect/post-row.ts";
import { streamDefaults } from "#lib/collect/stream-schema.ts";
import { pageBudget } from "#lib/fediverse/budget.ts";
import { normaliseStatus } from "#lib/fediverse/normalise-status.ts";
import { MAX_MARKUP } from "#lib/fediverse/sanitise-content.ts";
import { ACCOUNT, CONTEXT, STATUS } from "#tests/setup/status-sample.ts";
import { seeded } from "#tests/simulated-server/random.ts";
import { writeText } from "#tests/simulated-server/texts.ts";
import type { Row } from "./api-group.ts";
import { startDatabase } from "./server.ts";

const PAGE = 40;
/** Pages before the figures: until the code is compiled. */
const WARM = 100;
const STREAM = {
  id: 1,
  hashtag_folded: "cats",
  hashtag: "cats",
  instance: CONTEXT.host,
  ...streamDefaults,
};

/**
 * New posts with their checks, from the JSON of a page to its commit. Figures are of processor time, so that other work on the
 * machine does not count. Pages of several streams are read and stored beside each other, so `rps` is that of the busier
 * process: this one or PostgreSQL.
 */
export async function runIngestGroup(pages: number): Promise<Row[]> {
  const database = await startDatabase();
  Object.assign(process.env, { DATABASE_URL: database.url, SLUICE_BUILT_IN_DATABASE: "1" });
  forgetEnv();
  try {
    await db.$executeRaw`INSERT INTO stream (hashtag, hashtag_folded, instance) VALUES ('cats', 'cats', ${STREAM.instance})`;
    const scorer = await newPostScorer();
    const ingest = async (statuses: unknown[]) => {
      const context = { ...CONTEXT, budget: pageBudget(MAX_MARKUP) };
      const entries = statuses.map((status) => normaliseStatus(status, context));
      const posts = entries.flatMap((entry) => (entry.ok ? entry.post : []));
      await readPostTexts(posts);
      const checks = await scorer.score(posts.map((post) => newText(post, STREAM.hashtag)));
      await inTransaction((tx) => ingestPosts(tx, STREAM, entries, { checks }));
    };
    const made = pagesOf(pages + WARM);
    for (const page of made.slice(0, WARM)) await ingest(page);
    return [await measure(made.slice(WARM), ingest)];
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

async function measure(
  pages: readonly unknown[][],
  store: (page: unknown[]) => Promise<unknown>,
): Promise<Row> {
  const size = pages.length * PAGE;
  const postgresBefore = await postgresMs();
  const before = process.cpuUsage();
  for (const page of pages) await store(page);
  const { user, system } = process.cpuUsage(before);
  const node_ms = (user + system) / 1000 / size;
  const postgres_ms = ((await postgresMs()) - postgresBefore) / size;
  return { name: "ingest", size, rps: 1000 / Math.max(node_ms, postgres_ms), node_ms, postgres_ms };
}

/** Processor time of the connections of this process. Linux only. */
async function postgresMs(): Promise<number> {
  const rows = await db.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'`;
  const stats = rows.map(
    ({ pid }) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [],
  );
  // Ticks of 10 ms.
  return stats.reduce((sum, fields) => sum + 10 * (Number(fields[11]) + Number(fields[12])), 0);
}
