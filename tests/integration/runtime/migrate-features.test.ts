import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, readMigrations } from "#lib/runtime/postgres/migrate.ts";

/** A database as the version before left it: features by a public hash, also of deleted posts. */
const name = `sluice_test_features_${randomBytes(4).toString("hex")}`;
const url = new URL(process.env.DATABASE_URL ?? "");
const server = new pg.Client({ connectionString: url.href });
let client: pg.Client;

const [STORED, CLEANED_UP, DELETED, REFUSED, ERASED] = [1, 2, 3, 4, 5];

beforeAll(async () => {
  await server.connect();
  await server.query(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  client = new pg.Client({ connectionString: own.href });
  await client.connect();
  await client.query(`
    CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
      migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
      started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`);
  const migrations = await readMigrations();
  const before = migrations.slice(
    0,
    migrations.findIndex((each) => each.name.endsWith("_keyed_features")),
  );
  for (const [i, { script, checksum, name: migration }] of before.entries()) {
    await client.query(script);
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ($1, $2, $3, now())",
      [String(i), checksum, migration],
    );
  }
  await client.query(`
    CREATE FUNCTION uri_hmac(p_uri text) RETURNS bytea LANGUAGE sql STABLE AS $$ SELECT sha256(convert_to(p_uri, 'UTF8')) $$;
    CREATE FUNCTION complete_example() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
    CREATE TRIGGER post_check_complete_example AFTER INSERT OR UPDATE OF slots, vector ON post_check
      FOR EACH ROW EXECUTE FUNCTION complete_example();
    INSERT INTO post (id, uri, content, plain_text, author_username, author_account, author_key, instance, created_at, approved,
                      reviewed_at, classified_at, erased_at)
    SELECT id, 'https://h.example/' || id, '<p>heron</p>', 'heron', 'a', '@a@h.example', 'a@h.example', 'h.example', now(), true,
           now(), now(), CASE id WHEN ${ERASED} THEN now() END FROM unnest('{${STORED}, ${ERASED}}'::int[]) id;
    INSERT INTO post_check (post_id, slots, vector, learner_version, learner_score, learner_reasons)
    VALUES (${STORED}, '\\xabcd', decode(repeat('07', 256), 'hex'), 7, 0.9,
            '[{"feature": "author:a@h.example", "weight": 2, "reviewed": 40, "rejected": 40}]');
    INSERT INTO check_example (post_id, author_hmac, rejected, reviewed_at, slots, vector, checks)
    SELECT id, '\\x01', false, now(), '\\xabcd', decode(repeat('07', 256), 'hex'), '[{"name": "rules", "score": 0.5}]'
      FROM unnest('{${[STORED, CLEANED_UP, DELETED, REFUSED, ERASED].join(", ")}}'::int[]) id;
    INSERT INTO post_event (post_id, actor, source, action) VALUES
      (${DELETED}, 'Rita', 'screen', 'delete'), (${REFUSED}, 'service', 'service', 'opt_out'), (${CLEANED_UP}, 'Rita', 'screen', 'approve');
    INSERT INTO check_model (version, examples, state, calibration, metrics, threshold) VALUES (7, 5, '\\xabcd', '{}', '{}', 0.7);
    UPDATE check_job SET finished = true, done_from = 1;
    INSERT INTO installation DEFAULT VALUES ON CONFLICT DO NOTHING`);
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

test("an upgrade removes features and vectors of deleted posts, and examples of posts that were deleted for their author", async () => {
  expect(
    await rows(
      "SELECT post_id, emptied, features, vector IS NULL, checks FROM check_example ORDER BY post_id",
    ),
  ).toEqual([
    [STORED, false, [], false, [{ name: "rules", score: 0.5 }]],
    [CLEANED_UP, true, [], true, [{ name: "rules", score: 0.5 }]],
  ]);
  expect(
    await rows(
      "SELECT attname FROM pg_attribute WHERE attname IN ('slots', 'counts') AND attrelid::regclass::text LIKE 'check%'",
    ),
  ).toEqual([]);
});

test("an upgrade counts the instances of stored posts, and has stored posts read and judged again", async () => {
  expect(
    await rows(
      "SELECT instance_hmac = sha256(convert_to('h.example', 'UTF8')) FROM check_example ORDER BY post_id",
    ),
  ).toEqual([[true], [null]]);
  expect(await rows("SELECT features, learner_score, learner_reasons FROM post_check")).toEqual([
    [[], 0.9, []],
  ]);
  expect(
    await rows(
      "SELECT name, key, finished, done_from FROM check_job WHERE name IN ('features', 'rejudge') ORDER BY name",
    ),
  ).toEqual([
    ["features", "1", false, null],
    ["rejudge", expect.any(String), false, null],
  ]);
});

test("an upgrade leaves no weights by the public hash, and goes on with the next version", async () => {
  expect(await rows("SELECT version, length(state) FROM check_model")).toEqual([[7, 0]]);
  const [[secret] = []] = (await rows("SELECT length(feature_secret) FROM installation")) as [[number]];
  expect(secret).toBe(32);
  expect(await rows("SELECT * FROM check_feature_count")).toEqual([[-1, 0, 0]]);
});
