import { beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { switches } from "#lib/queue/switches.ts";
import { makeKey, makePending, makePost } from "#tests/setup/factories.ts";
import { addEvents } from "#tests/setup/figures.ts";
import { askEndpoint, type Endpoint, endpoints } from "./endpoints.ts";

/* Every operation that offers `dry_run` takes it in the query and in the body, and changes nothing then. */

interface Case {
  query?: string;
  /** Null: the operation declares no body. */
  body: object | null;
  id?: string;
  /** Part of the answer of a dry run. */
  answer: object;
}

const cases: Record<string, Case> = {
  "POST /curated/cleanup": {
    query: "retention_days=7",
    body: null,
    answer: { deleted: 0, would_delete: 1 },
  },
  "POST /review/batch": {
    body: { filter: { reviewed: "false" }, decision: "reject" },
    answer: { changed: 1, unchanged: [] },
  },
  "POST /reblog-controls/blocked-users": {
    body: { account_identifier: "spam@bad.example" },
    answer: { held: 3, rejected: 1 },
  },
  "POST /reblog-controls/blocked-hashtags": {
    body: { hashtag: "nonsense" },
    answer: { held: 3, rejected: 0 },
  },
  "PUT /reblog-controls/settings": {
    body: { auto_reject_bots: true },
    answer: { auto_reject_bots: true, held: 0, rejected: 0 },
  },
  "PUT /opt-outs/{account}": {
    id: "@spam@bad.example",
    body: { resolution: "confirmed" },
    answer: { deleted: 4, released: 0 },
  },
  "POST /curated/trim-pending": {
    query: "lookback_days=2",
    body: null,
    answer: { deleted: 0, pending: 3, target: 1, would_delete: 2 },
  },
  "POST /reblog-controls/blocked-users/import": {
    body: { text: "spam@bad.example\nbad.example\n" },
    answer: { dry_run: true, added: 2 },
  },
};

let key: string;
beforeAll(async () => {
  key = await makeKey();
});
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE blocked_user, blocked_hashtag, hold_change, reported_opt_out, post, stream, audit_event, tally, tally_delta CASCADE`;
  await addEvents("delivered", [
    [0, 1],
    [100, 1],
  ]);
  for (let n = 0; n < 3; n++)
    await makePending({ author_username: "spam", instance: "bad.example", hashtags: ["nonsense"] });
  await makePost({ author_username: "spam", instance: "bad.example" });
  await switches.set({ auto_reject_bots: false });
  await db.reported_opt_out.create({ data: { author_key: "spam@bad.example", reason: "nobot" } });
  const delivered = await makePending();
  await db.$executeRaw`UPDATE queue_entry SET state = 'delivered', delivered_at = now() - interval '8 days'
    WHERE post_id = ${delivered.id}`;
  const old = new Date(Date.now() - 40 * 86_400_000);
  await makePost({ approved: false, reviewed_at: old, created_at: old });
});

const tables = [
  "post",
  "queue_entry",
  "blocked_user",
  "blocked_hashtag",
  "hold_change",
  "stream",
  "setting",
  "reported_opt_out",
  "post_event",
  "audit_event",
  "tombstone",
];

async function everything(): Promise<Record<string, string | null>> {
  const state: Record<string, string | null> = {};
  for (const table of tables) {
    const rows = await db.$queryRawUnsafe<{ state: string | null }[]>(
      `SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS state FROM ${table} t`,
    );
    state[table] = rows[0]?.state ?? null;
  }
  return state;
}

function ask(name: string, extra: { query?: string; body?: object }) {
  const { query, body, answer: _answer, ...path } = cases[name] as Case;
  return askEndpoint<Record<string, unknown>>(offering.find((each) => each.name === name) as Endpoint, {
    ...path,
    query: `?${[query, extra.query].filter(Boolean).join("&")}`,
    ...(body === null && extra.body === undefined ? {} : { body: { ...body, ...extra.body } }),
    key,
  });
}

const offering = endpoints.filter(({ op }) => op.dryRun !== undefined);

test("the table has every operation that offers a dry run", () => {
  expect(Object.keys(cases).sort()).toEqual(offering.map(({ name }) => name).sort());
});

test.each(Object.keys(cases))("%s changes nothing with dry_run, and acts without it", async (name) => {
  const before = await everything();
  for (const extra of [
    { query: "dry_run=1" },
    { body: { dry_run: true } },
    { query: "dry_run=no", body: { dry_run: true } },
  ]) {
    const answer = await ask(name, extra);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject((cases[name] as Case).answer);
  }
  for (const extra of [{ query: "dry_run=perhaps" }, { body: { dry_run: "yes" } }]) {
    const answer = await ask(name, extra);
    expect([answer.status, answer.json["detail"]]).toEqual([422, expect.stringContaining("dry_run")]);
  }
  expect(await everything()).toEqual(before);
  expect((await ask(name, { query: "dry_run=false", body: { dry_run: false } })).status).toBeLessThan(300);
  expect(await everything()).not.toEqual(before);
});
