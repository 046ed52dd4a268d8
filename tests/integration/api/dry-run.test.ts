import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import "#app/api/v1/all-routes.ts";
import { POST as ADD_WORD } from "#app/api/v1/classify/words/route.ts";
import { POST as CLEANUP } from "#app/api/v1/curated/cleanup/route.ts";
import { POST as TRIM } from "#app/api/v1/curated/trim-pending/route.ts";
import { POST as BLOCK_HASHTAG } from "#app/api/v1/reblog-controls/blocked-hashtags/route.ts";
import { PUT as DECIDE_OPT_OUT } from "#app/api/v1/opt-outs/[account]/route.ts";
import { POST as IMPORT_USERS } from "#app/api/v1/reblog-controls/blocked-users/import/route.ts";
import { POST as BLOCK_USER } from "#app/api/v1/reblog-controls/blocked-users/route.ts";
import { PUT as SET_SWITCHES } from "#app/api/v1/reblog-controls/settings/route.ts";
import { POST as RUN_BATCH } from "#app/api/v1/review/batch/route.ts";
import { PUT as SET_RETENTION } from "#app/api/v1/retention/route.ts";
import { db } from "#lib/db.ts";
import { registeredPaths } from "#lib/http/operation.ts";
import { makeKey, makePending, makePost } from "#tests/setup/factories.ts";
import { addEvents } from "#tests/setup/figures.ts";
import { call } from "#tests/setup/request.ts";

/* Every operation that offers `dry_run` takes it in the query and in the body, and changes nothing then. */

interface Case {
  handler: Parameters<typeof call>[0];
  method?: "POST" | "PUT" | "DELETE";
  query?: string;
  /** Null: the operation declares no body. */
  body: object | null;
  params?: Record<string, string>;
  /** Part of the answer of a dry run. */
  answer: object;
}

const cases: Record<string, Case> = {
  "POST /curated/cleanup": {
    handler: CLEANUP,
    query: "retention_days=7",
    body: null,
    answer: { deleted: 0, would_delete: 1 },
  },
  "POST /review/batch": {
    handler: RUN_BATCH,
    body: { filter: { reviewed: "false" }, decision: "reject" },
    answer: { changed: 1, unchanged: [] },
  },
  "POST /reblog-controls/blocked-users": {
    handler: BLOCK_USER,
    body: { account_identifier: "spam@bad.example" },
    answer: { held: 3, rejected: 1, own_streams: [] },
  },
  "POST /reblog-controls/blocked-hashtags": {
    handler: BLOCK_HASHTAG,
    body: { hashtag: "nonsense" },
    answer: { held: 3, rejected: 0 },
  },
  "PUT /reblog-controls/settings": {
    handler: SET_SWITCHES,
    method: "PUT",
    body: { auto_reject_bots: true },
    answer: { auto_reject_bots: true, held: 0, rejected: 0 },
  },
  "PUT /opt-outs/{account}": {
    handler: DECIDE_OPT_OUT,
    method: "PUT",
    params: { account: "@spam@bad.example" },
    body: { resolution: "confirmed" },
    answer: { deleted: 4, released: 0 },
  },
  "POST /curated/trim-pending": {
    handler: TRIM,
    query: "lookback_days=2",
    body: null,
    answer: { deleted: 0, pending: 3, target: 1, would_delete: 2 },
  },
  "POST /reblog-controls/blocked-users/import": {
    handler: IMPORT_USERS,
    body: { text: "spam@bad.example\nbad.example\n" },
    answer: { dry_run: true, added: 2 },
  },
  "POST /classify/words": {
    handler: ADD_WORD,
    body: { word: "nonsense" },
    answer: { waiting: 0, complete: true },
  },
  "PUT /retention": {
    handler: SET_RETENTION,
    method: "PUT",
    body: { rejected_days: 30 },
    answer: { rejected_days: 30, would_delete: { rejected: 1, unreviewed: 0, failed: 0 } },
  },
};

let key: string;
beforeAll(async () => {
  key = await makeKey();
});
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE blocked_user, blocked_hashtag, block_change, reported_opt_out, post, stream, audit_event, figure, figure_delta CASCADE`;
  await addEvents("delivered", [
    [0, 1],
    [100, 1],
  ]);
  for (let n = 0; n < 3; n++)
    await makePending({ author_username: "spam", instance: "bad.example", hashtags: ["nonsense"] });
  await makePost({ author_username: "spam", instance: "bad.example" });
  await db.export_setting.updateMany({ data: { auto_reject_bots: false } });
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
  "block_change",
  "stream",
  "retention_setting",
  "export_setting",
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
  const { handler, method = "POST", query, body, params } = cases[name] as Case;
  const path = `/api/v1${(name.split(" ")[1] ?? "").replace("{account}", params?.["account"] ?? "")}`;
  const search = [query, extra.query].filter(Boolean).join("&");
  const sent = body === null && extra.body === undefined ? undefined : { ...body, ...extra.body };
  return call<Record<string, unknown>>(handler, {
    method,
    path: search === "" ? path : `${path}?${search}`,
    ...(params ? { params } : {}),
    ...(sent === undefined ? {} : { body: sent }),
    key,
  });
}

test("the table has every operation that offers a dry run", () => {
  const offered = registeredPaths().flatMap(({ path, operations }) =>
    Object.entries(operations).flatMap(([method, op]) =>
      op.dryRun === undefined ? [] : `${method} ${path}`,
    ),
  );
  expect(Object.keys(cases).sort()).toEqual(offered.sort());
});

describe.each(Object.keys(cases))("%s", (name) => {
  test.each([
    ["in the query", { query: "dry_run=true" }],
    ["in the body", { body: { dry_run: true } }],
    ["in both", { query: "dry_run=1", body: { dry_run: true } }],
    ["in the body, with false in the query", { query: "dry_run=no", body: { dry_run: true } }],
  ])("changes nothing with dry_run %s", async (_where, extra) => {
    const before = await everything();
    const answer = await ask(name, extra);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject((cases[name] as Case).answer);
    expect(await everything()).toEqual(before);
  });

  test("refuses a dry_run that is neither true nor false", async () => {
    const before = await everything();
    for (const extra of [{ query: "dry_run=perhaps" }, { body: { dry_run: "yes" } }]) {
      const answer = await ask(name, extra);
      expect(answer.status).toBe(422);
      expect(answer.json["detail"]).toContain("dry_run");
    }
    expect(await everything()).toEqual(before);
  });

  test("acts with dry_run false", async () => {
    const before = await everything();
    expect((await ask(name, { query: "dry_run=false", body: { dry_run: false } })).status).toBeLessThan(300);
    expect(await everything()).not.toEqual(before);
  });
});
