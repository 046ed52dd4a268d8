import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyFunctions, readFunctions } from "#lib/runtime/postgres/functions.ts";
import { migrate, readMigrations } from "#lib/runtime/postgres/migrate.ts";

/** A database as the version before left it: the baseline, its functions, and posts. */
const name = `sluice_test_forgetting_${randomBytes(4).toString("hex")}`;
const url = new URL(process.env.DATABASE_URL ?? "");
const server = new pg.Client({ connectionString: url.href });
let client: pg.Client;

beforeAll(async () => {
  await server.connect();
  await server.query(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  client = new pg.Client({ connectionString: own.href });
  await client.connect();
  const [baseline] = await readMigrations();
  await client.query(baseline?.script ?? "");
  await client.query("BEGIN");
  // Today's functions have triggers on a table that the baseline does not have.
  await client.query("CREATE TABLE post_check (features int[], vector bytea)");
  await applyFunctions(client, await readFunctions());
  await client.query(`
    DROP TABLE post_check;
    DROP TRIGGER post_forget ON post;
    DROP TRIGGER post_stat_insert ON post;
    DROP TRIGGER post_stat_update ON post;
    DROP TRIGGER post_reset_picture_checks ON post;
    DROP TRIGGER post_move_example ON post;
    DROP TRIGGER post_event_learn_review ON post_event;
    COMMIT`);
  await client.query(`
    CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
      migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
      started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`);
  await client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', $1, $2, now())",
    [baseline?.checksum, baseline?.name],
  );
  await client.query(`
    INSERT INTO post (id, uri, content, plain_text, media, media_count, author_username, author_account, author_key, instance,
                      created_at, approved, reviewed_at, auto_reject_reason, reviewer_notes)
    SELECT id, 'https://h.example/' || id, 'zebra', 'zebra', '[{"url": "https://h.example/zebra.jpg"}]', 1, 'a', '@a@h.example',
           'a@h.example', 'h.example', now(), approved, CASE WHEN approved IS NOT NULL THEN now() END, reason, 'zebra note'
      FROM (VALUES (1, false, 'gone'), (2, NULL, NULL), (3, false, 'withdrawn'), (4, false, NULL)) p (id, approved, reason);
    INSERT INTO post_event (post_id, actor, source, action, note, details)
    SELECT id, 'Rita', source, action, note, details::jsonb FROM unnest('{1,2,3,9}'::int[]) id, (VALUES
      ('service', 'edit', 'edited at its source', '{"before": {"content": "zebra old"}, "after": {"content": "zebra"}}'),
      ('screen', 'reject', 'zebra quoted', '{"decision_id": "d", "reviewer_notes": {"from": null, "to": "zebra"}}'),
      ('filter', 'auto_reject', 'blocked_hashtag: zebra (hashtag)', '{"reason": "blocked_hashtag", "pattern": "zebra"}')
    ) e (source, action, note, details);
    INSERT INTO post_event (post_id, actor, source, action, note) VALUES (2, 'bot', 'api', 'error', 'kept zebra'), (9, 'bot', 'api', 'error', 'lost zebra');
    INSERT INTO stat_reason (day, kind, reason, n) VALUES ('2026-01-01', 'error', 'kept zebra', 2), ('2026-01-01', 'error', 'lost zebra', 3),
      ('2026-01-01', 'dropped', 'noindex', 143), ('2026-01-01', 'dropped', 'duplicate', 9999);
    INSERT INTO stat_delta (day, kind, reason, n) VALUES ('2026-01-02', 'error', 'lost zebra', 1), ('2026-01-02', 'dropped', 'language', 7);
    INSERT INTO review_batch (id, actor, decision, note, filter, was_unreviewed) VALUES
      (gen_random_uuid(), 'Rita', 'reject', 'zebras', '{"q": "zebra", "language": "en"}', '{1,9}'),
      (gen_random_uuid(), 'Rita', 'reject', 'zebras', '{"q": "zebra"}', '{1,2}');
    INSERT INTO reported_opt_out (author_key, reason, post_id) VALUES ('x@h.example', 'zebra opts out', 9), ('y@h.example', 'zebra opts out', 2);
    INSERT INTO blocked_user (account_identifier, pattern_type, notes) VALUES ('x@h.example', 'exact', 'Opted out: zebra opts out');
    INSERT INTO audit_event (actor, source, action, subject, after) VALUES ('bot', 'api', 'opt_out.report', '@x', '{"post_id": 9, "reason": "zebra"}');
    INSERT INTO consent_drop (uri, rule, stream_id, at) VALUES ('https://h.example/r1', 'noindex', 1, '2026-01-01T10:00Z'),
      ('https://h.example/r2', 'visibility', 1, '2026-01-03T10:00Z'), ('https://h.example/r3', 'refusal_tag', NULL, '2026-01-01T10:00Z')`);
  await migrate(own.href);
});

afterAll(async () => {
  await client.end();
  await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await server.end();
});

async function rows(sql: string): Promise<unknown[]> {
  return (await client.query<Record<string, unknown>>({ text: sql, rowMode: "array" } as never)).rows;
}

test("an upgrade erases posts that were gone or withdrawn, and leaves the others", async () => {
  expect(
    await rows(
      "SELECT id, content, media_count::int, reviewer_notes, erased_at IS NOT NULL FROM post ORDER BY id",
    ),
  ).toEqual([
    [1, "", 0, null, true],
    [2, "zebra", 1, "zebra note", false],
    [3, "", 0, null, true],
    [4, "zebra", 1, "zebra note", false],
  ]);
});

test("an upgrade removes quotations and earlier versions from the history of posts that are not there any more", async () => {
  const left = [
    ["edit", "edited at its source", null],
    ["reject", null, { decision_id: "d" }],
    ["auto_reject", "blocked_hashtag", null],
  ];
  for (const id of [1, 3, 9]) {
    expect(
      await rows(
        `SELECT action, note, details FROM post_event WHERE post_id = ${id} AND action <> 'error' ORDER BY id`,
      ),
    ).toEqual(left);
  }
  expect(
    await rows(
      "SELECT count(*)::int FROM post_event WHERE post_id = 2 AND note || details::text LIKE '%zebra%'",
    ),
  ).toEqual([[3]]);
  expect(await rows("SELECT note, filter FROM review_batch ORDER BY note NULLS FIRST")).toEqual([
    [null, { language: "en" }],
    ["zebras", { q: "zebra" }],
  ]);
  expect(await rows("SELECT reason FROM reported_opt_out ORDER BY author_key")).toEqual([
    [""],
    ["zebra opts out"],
  ]);
  expect(await rows("SELECT notes FROM blocked_user")).toEqual([["Opted out"]]);
  expect(await rows("SELECT after FROM audit_event")).toEqual([[{ post_id: 9 }]]);
});

test("an upgrade keeps the number of errors without texts of deleted posts", async () => {
  const all = `SELECT kind, reason, n FROM stat_reason UNION ALL SELECT kind, reason, n FROM stat_delta WHERE kind IN ('error')`;
  expect(
    await rows(`SELECT reason, sum(n)::int FROM (${all}) a WHERE kind = 'error' GROUP BY 1 ORDER BY 1`),
  ).toEqual([
    ["kept zebra", 2],
    ["text deleted with the post", 4],
  ]);
});

test("an upgrade counts each refused post once, and shows no sum that it cannot correct", async () => {
  expect(
    await rows("SELECT day::text, reason, n FROM stat_reason WHERE kind = 'dropped' ORDER BY day"),
  ).toEqual([
    ["2026-01-01", "noindex", 1],
    ["2026-01-03", "not_public", 1],
  ]);
  expect(await rows("SELECT count(*)::int FROM stat_delta WHERE kind = 'dropped'")).toEqual([[0]]);
  await client.query(
    "SELECT count_dropped('{https://h.example/r1,https://h.example/new}', '{noindex,noindex}')",
  );
  expect(await rows("SELECT reason, n FROM stat_delta WHERE kind = 'dropped'")).toEqual([["noindex", 1]]);
});

test("an upgrade deletes no post by its age for a week", async () => {
  const starts = "SELECT starts_at BETWEEN now() + '6 days' AND now() + '8 days' FROM retention_setting";
  expect(await rows(starts)).toEqual([[true]]);
});

test("an upgrade removes reasons of suggestions and of reports from copies that no post deletes", async () => {
  const noted = (key: string, notes: string) =>
    JSON.stringify({ account_identifier: key, pattern_type: "exact", notes });
  await client.query(
    `INSERT INTO block_suggestion (kind, target, name, reason, post_id, suggested_by) VALUES
       ('user', 's@h.example', '@s@h.example', 'zebra gone', 9, 'Rita'),
       ('hashtag', 'striped', '#Striped', 'zebra stored', 2, 'Rita'), ('user', 't@h.example', '@t@h.example', 'untied', NULL, 'Rita')`,
  );
  await client.query(
    `INSERT INTO blocked_user (account_identifier, pattern_type, notes) VALUES
       ('s@h.example', 'exact', 'zebra gone'), ('o@h.example', 'exact', 'Opted out: zebra'), ('t@h.example', 'exact', 'own note')`,
  );
  await client.query(
    "INSERT INTO blocked_hashtag (hashtag, hashtag_folded, notes) VALUES ('Striped', 'striped', 'zebra stored')",
  );
  await client.query(
    `INSERT INTO audit_event (actor, source, action, subject, before, after) VALUES
       ('Ann', 'screen', 'blocked_user.delete', '@o', $1, NULL), ('Ann', 'screen', 'blocked_user.create', '@o', NULL, $1),
       ('Ann', 'screen', 'blocked_user.create', '@s', NULL, $2), ('Ann', 'screen', 'blocked_user.delete', '@t', $3, NULL)`,
    [
      noted("o@h.example", "Opted out: zebra"),
      noted("s@h.example", "zebra gone"),
      noted("t@h.example", "own note"),
    ],
  );
  await client.query(
    `INSERT INTO action (member_id, kind, changed, before) VALUES
       (1, 'unblock', 1, '{"list": "user", "row": {"id": 1, "notes": "Opted out: zebra"}, "released": [4]}'),
       (1, 'unblock', 1, '{"list": "user", "row": {"id": 2, "notes": "zebra gone"}, "released": []}')`,
  );
  for (const { name, script } of await readMigrations())
    if (/_(forget_suggestions|opt_out_notes)$/.test(name)) await client.query(script);

  expect(await rows("SELECT reason FROM block_suggestion ORDER BY id")).toEqual([
    [""],
    ["zebra stored"],
    ["untied"],
  ]);
  const blocked = "SELECT notes FROM blocked_user WHERE account_identifier < 'x' ORDER BY account_identifier";
  expect(await rows(blocked)).toEqual([["Opted out"], ["Suggested by Rita"], ["own note"]]);
  expect(await rows("SELECT notes FROM blocked_hashtag")).toEqual([["Suggested by Rita"]]);
  expect(
    await rows(
      "SELECT before ->> 'notes', after ->> 'notes' FROM audit_event WHERE action LIKE 'blocked%' ORDER BY id",
    ),
  ).toEqual([
    ["Opted out", null],
    [null, "Opted out"],
    [null, "Suggested by Rita"],
    ["own note", null],
  ]);
  expect(await rows("SELECT before FROM action ORDER BY seq")).toEqual([
    [{ list: "user", row: { id: 1, notes: "Opted out" }, released: [4] }],
    [{ list: "user", row: { id: 2, notes: "Suggested by Rita" }, released: [] }],
  ]);
});
