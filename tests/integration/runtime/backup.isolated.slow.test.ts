import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { recordAudit } from "#lib/accounts/record-audit.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { restoreBackup } from "#lib/runtime/backup/restore-backup.ts";
import { writeBackup } from "#lib/runtime/backup/backup.ts";
import { copyTemplate, query } from "#tests/setup/database.ts";
import { makeKey, makePending, makePost, makeStream, picture } from "#tests/setup/factories.ts";
import { makeFolder } from "#tests/setup/folder.ts";
import { describeDatabase, makeDatabase } from "./backup-database.ts";

const url = () => process.env.DATABASE_URL ?? "";

/** Values that CSV, COPY or an encoding could change. */
const AWKWARD = [
  "",
  "\\.",
  "\\N",
  '"quoted", and\ncommas\r\n',
  "NULL",
  "\t\b",
  "日本語 🦦 e\u0301",
  "\u2028",
  "a\\nb",
  " ",
];

beforeAll(async () => {
  const stream = await makeStream();
  for (const text of AWKWARD)
    await makePost({
      plain_text: text,
      spoiler_text: text,
      reviewer_notes: null,
      hashtags: [text, "x"],
      stream_id: stream.id,
    });
  for (let n = 0; n < 5; n++)
    await makePending({ media: [picture('a "heron", \\ and\na weir')], stream_id: stream.id });
  await makeKey();
  await db.host_state.create({ data: { host: "token.example", token: Buffer.from([0, 92, 10, 255]) } });
  await recordAudit(db, servicePrincipal, { action: "test", subject: "a\\.\nb", after: { text: AWKWARD } });
});

test("a restored database has the rows, sequences, indexes, constraints and triggers of the backup", async () => {
  const file = path.join(makeFolder(), "backup.zip");
  const before = await describeDatabase(url());
  const { manifest, rows } = await writeBackup({ url: url(), file });
  expect(manifest.tables.find(({ name }) => name === "post")?.rows).toBe(AWKWARD.length + 5);
  expect(rows).toBeGreaterThan(AWKWARD.length + 5);
  expect([readdirSync(path.dirname(file)), statSync(file).mode & 0o777]).toEqual([["backup.zip"], 0o600]);
  const target = await makeDatabase();
  await restoreBackup({ url: target, file });
  expect(await describeDatabase(target)).toEqual(before);
});

describe("a restored database hands out no post before its own server has shown it again,", () => {
  const hash = "ab".repeat(32);

  /** Posts that were confirmed just before the backup, restored. @returns a reserve of the restored database */
  async function restored() {
    const { url: source, drop } = await copyTemplate(inject("databaseServer"));
    onTestFinished(drop);
    const posts = `INSERT INTO post (id, uri, author_username, author_account, author_key, instance, created_at, approved, reviewed_at,
        from_home, confirmed_at, confirmed_by, hashtags_folded)
      OVERRIDING SYSTEM VALUE
      SELECT n, 'https://h.example/' || n, 'a' || n, '@a' || n || '@h.example', 'a' || n || '@h.example', 'h.example', now(),
             CASE WHEN n < 6 THEN true END, CASE WHEN n < 6 THEN now() END, n < 7,
             CASE WHEN n < 6 THEN now() ELSE now() - interval '40 days' END, 'h.example', '{cats}'
        FROM generate_series(1, 7) n`;
    await query(
      source,
      `INSERT INTO topical_tag (hashtag, hashtag_folded, day_of_week) SELECT 'cats', 'cats', extract(dow FROM now() AT TIME ZONE 'UTC');
       INSERT INTO member (email, name, role) VALUES ('a@example.org', 'A', 'admin');
       INSERT INTO api_key (name, prefix, last_characters, key_hash, scopes, created_by) SELECT 'k', 'p', 'l', '\\x${hash}', '{consume}', id FROM member;
       ${posts};
       SELECT queue_enqueue('{1,2,3,4,5}', now(), 24);
       UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), lease_expires_at = now() + interval '5 minutes',
              reserved_at = now() WHERE post_id = 3;
       UPDATE queue_entry SET state = 'error', errored_at = now(), error_reason = 'x' WHERE post_id = 4;
       UPDATE queue_entry SET holds = 8 WHERE post_id = 5`,
    );
    const file = path.join(makeFolder(), "backup.zip");
    await writeBackup({ url: source, file });
    const target = await makeDatabase();
    await restoreBackup({ url: target, file });
    expect(
      await query(
        target,
        "SELECT value -> 'deliveries_paused' AS deliveries_paused FROM setting WHERE name = 'switches'",
      ),
    ).toEqual([{ deliveries_paused: true }]);
    // An admin resumes deliveries, as in lib/blocking/switches.ts. The lease of the reservation ends.
    await query(target, "UPDATE installation SET restored_from = NULL");
    await query(
      target,
      `UPDATE setting SET value = value || '{"deliveries_paused": false}' WHERE name = 'switches'`,
    );
    await query(
      target,
      "UPDATE queue_entry SET lease_expires_at = now() - interval '1 second' WHERE state = 'reserved'",
    );
    const reserve = async (hours: number, random = false, topical = false) => {
      const [row] = await query<{ outcome: string; post_id: number | null }>(
        target,
        `SELECT outcome, post_id FROM queue_reserve(queue_identify('\\x${hash}', NULL, NULL), ${random}, '{${topical}}', 'UTC', 300, ${hours})`,
      );
      return row?.outcome === "ok" ? row.post_id : row?.outcome;
    };
    const confirm = (id: number) =>
      query(target, `UPDATE queue_entry SET confirmed_at = now(), holds = holds & ~12 WHERE post_id = ${id}`);
    return { target, reserve, confirm };
  }

  test.each([24, 720, 0])("with CONFIRM_WITHIN_HOURS=%i", async (hours) => {
    const { target, reserve, confirm } = await restored();
    for (const [random, topical] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ] as const)
      expect(await reserve(hours, random, topical)).toBe("empty");
    const [held] = await query<{ held: number }>(
      target,
      "SELECT count(*)::int AS held FROM queue_entry WHERE holds & 4 <> 0",
    );
    expect(held).toEqual({ held: 3 });
    // A failed post that is requeued.
    await query(
      target,
      "UPDATE queue_entry SET state = 'pending', errored_at = NULL, error_reason = NULL WHERE post_id = 4",
    );
    expect(await reserve(hours)).toBe("empty");
    for (const id of [2, 4, 3, 1]) {
      await confirm(id);
      expect(await reserve(hours, true)).toBe(id);
    }
  });

  test.each([24, 0])(
    "not even one that is approved afterwards, nor another server's copy, with CONFIRM_WITHIN_HOURS=%i",
    async (hours) => {
      const { target, reserve } = await restored();
      await query(
        target,
        `UPDATE post SET approved = true, reviewed_at = now() WHERE id > 5; SELECT queue_enqueue('{6,7}', now(), ${hours})`,
      );
      expect(await reserve(hours)).toBe("empty");
      const checks = await query(target, "SELECT post_id FROM source_check WHERE post_id > 5 ORDER BY 1");
      // Without the setting the worker asks for the head of the queue.
      expect(checks).toEqual(hours === 0 ? [] : [{ post_id: 6 }, { post_id: 7 }]);
    },
  );
});

test("a restored database has no mail to send again, no foreign tables, its alerts stay open and new ones wait", async () => {
  const { url: source, drop } = await copyTemplate(inject("databaseServer"));
  onTestFinished(drop);
  await query(
    source,
    `INSERT INTO mail (kind, address, expires_at) VALUES ('reset', 'a@example.org', now() + interval '1 hour');
     INSERT INTO alert (rule, subject, title) VALUES ('disk.full', 0, 'The disk is nearly full');
     UPDATE installation SET alerts_from = now() - interval '1 day';
     CREATE TABLE notes AS SELECT 'mine' AS text`,
  );
  const file = path.join(makeFolder(), "backup.zip");
  await writeBackup({ url: source, file });
  const target = await makeDatabase();
  await restoreBackup({ url: target, file });
  const [row] = await query(
    target,
    `SELECT rule, ended_at, (SELECT count(*)::int FROM mail) AS mails, to_regclass('notes')::text AS notes,
            (SELECT alerts_from > now() + interval '8 minutes' FROM installation) AS alerts_wait FROM alert`,
  );
  expect(row).toEqual({ rule: "disk.full", ended_at: null, mails: 0, notes: null, alerts_wait: true });
});

test("a backup under load is of one moment: its figures fit its posts", async () => {
  const folder = makeFolder();
  const writers = new AbortController();
  const write = async () => {
    while (!writers.signal.aborted) {
      await makePending();
      await db.$executeRaw`SELECT compact_tally()`;
    }
  };
  const writing = Promise.all([write(), write()]);
  const files = ["1.zip", "2.zip", "3.zip"].map((name) => path.join(folder, name));
  for (const file of files) await writeBackup({ url: url(), file });
  writers.abort();
  await writing;
  const counts = files.map(async (file) => {
    const target = await makeDatabase();
    await restoreBackup({ url: target, file });
    const [found] = await query<{ posts: number; counted: number }>(
      target,
      `SELECT count(*)::int AS posts,
              (SELECT sum(n)::int FROM tally_now('{host}')) AS counted FROM post`,
    );
    return found;
  });
  for (const found of await Promise.all(counts)) expect(found?.counted).toBe(found?.posts);
});
