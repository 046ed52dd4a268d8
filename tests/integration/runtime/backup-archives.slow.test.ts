import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { restoreBackup } from "#lib/runtime/backup/restore-backup.ts";
import { verifyBackup, writeBackup } from "#lib/runtime/backup/backup.ts";
import { copyTemplate, query } from "#tests/setup/database.ts";
import { makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { makeFolder } from "#tests/setup/folder.ts";
import { changeManifest, describeDatabase, makeDatabase, rewriteArchive } from "./backup-database.ts";
import { sluice } from "./command-process.ts";

const url = () => process.env.DATABASE_URL ?? "";

const RELATIONS = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace";
const good = path.join(makeFolder(afterAll), "good.zip");

beforeAll(async () => {
  const stream = await makeStream();
  for (let n = 0; n < 50; n++) await makePost({ stream_id: stream.id });
  await makePending({ stream_id: stream.id });
  await writeBackup({ url: url(), file: good });
});

/** Archives that must be refused, by how they are made from a good one. */
const bad: [string, RegExp, (good: string, to: string) => Promise<void> | void][] = [
  [
    "a file of another kind",
    /is not a backup of Sluice, or its end is missing/,
    (_good, to) => writeFileSync(to, "x".repeat(10_000)),
  ],
  [
    "another program's manifest",
    /is not a backup of Sluice, or of another version\./,
    (good, to) =>
      rewriteArchive(good, to, (name, text) => (name === "manifest.json" ? '{"name": "x"}' : text)),
  ],
  [
    "a truncated archive",
    /is not a backup of Sluice, or its end is missing/,
    (good, to) => {
      writeFileSync(to, readFileSync(good));
      truncateSync(to, readFileSync(good).length - 100);
    },
  ],
  [
    "an archive with a changed byte",
    /is damaged/,
    (good, to) => {
      const bytes = readFileSync(good);
      const at = bytes.indexOf("tables/post.csv") + 200;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(to, bytes);
    },
  ],
  [
    "an archive without one of its tables",
    /is damaged/,
    (good, to) => rewriteArchive(good, to, (name, text) => (name === "tables/member.csv" ? null : text)),
  ],
  [
    "an archive of a newer version",
    /was written by another Sluice/,
    (good, to) =>
      changeManifest(good, to, ({ migrations }) => {
        migrations.push({ name: "99990101000000_later", checksum: "x" });
      }),
  ],
];

test.each(bad)("%s is refused before a restore begins", async (_what, sentence, make) => {
  const file = path.join(makeFolder(), "bad.zip");
  await make(good, file);
  await expect(verifyBackup(file)).rejects.toThrow(sentence);
});

test("a database that is not empty is refused and left as it is", async () => {
  const target = await makeDatabase();
  await query(target, "CREATE TABLE notes AS SELECT 'mine' AS text");
  await expect(restoreBackup({ url: target, file: good })).rejects.toThrow(/is not empty \(notes\)/);
  expect(await query(target, "SELECT text FROM notes")).toEqual([{ text: "mine" }]);
});

test("of two restores into one database at once, one wins and one is refused", async () => {
  const target = await makeDatabase();
  const results = await Promise.allSettled([1, 2].map(() => restoreBackup({ url: target, file: good })));
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await describeDatabase(target)).toEqual(await describeDatabase(url()));
});

test("a restore whose commit fails leaves database and DATA_DIR empty, and can be repeated", async () => {
  const target = await makeDatabase();
  // Fails at the end of the transaction, when all rows are there.
  await query(
    target,
    `CREATE SCHEMA trap;
     CREATE FUNCTION trap.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the disk is full'; END $$;
     CREATE FUNCTION trap.set() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'trap') THEN
         CREATE CONSTRAINT TRIGGER trap AFTER UPDATE ON installation DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION trap.refuse();
       END IF;
     END $$;
     CREATE EVENT TRIGGER trap ON ddl_command_end WHEN TAG IN ('CREATE FUNCTION') EXECUTE FUNCTION trap.set()`,
  );
  const dataDir = makeFolder();
  const { code, output } = await sluice(["restore", good], {
    DATABASE_URL: target,
    DATA_DIR: dataDir,
  });
  expect([code, output]).toEqual([
    1,
    expect.stringContaining("could not be restored (the disk is full). Nothing was changed."),
  ]);
  expect(readdirSync(dataDir)).toEqual([]);
  expect(await query(target, RELATIONS)).toEqual([]);
  await query(target, "DROP EVENT TRIGGER trap; DROP SCHEMA trap CASCADE");
  await restoreBackup({ url: target, file: good });
  expect(await describeDatabase(target)).toEqual(await describeDatabase(url()));
});

describe("writing", () => {
  test("an existing file is refused and left as it is", async () => {
    const folder = makeFolder();
    const file = path.join(folder, "letter.zip");
    writeFileSync(file, "mine");
    await expect(writeBackup({ url: url(), file })).rejects.toThrow(/exists already/);
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(readdirSync(folder)).toEqual(["letter.zip"]);
  });

  test("a database that ends in the middle leaves no file", async () => {
    const folder = makeFolder();
    const { url: source, drop } = await copyTemplate(inject("databaseServer"));
    onTestFinished(drop);
    await query(
      source,
      "CREATE TABLE aaa AS SELECT repeat(md5(n::text), 100) AS text FROM generate_series(1, 50000) n",
    );
    const writing = writeBackup({ url: source, file: path.join(folder, "backup.zip") });
    const failed = expect(writing).rejects.toThrow(/terminat|Connection/);
    await expect
      .poll(
        () =>
          query(
            url(),
            `SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
              WHERE datname = $1 AND query LIKE 'COPY%' AND application_name = 'sluice-backup'`,
            [new URL(source).pathname.slice(1)],
          ),
        { interval: 1, timeout: 30_000 },
      )
      .toEqual([{ done: true }]);
    await failed;
    expect(readdirSync(folder)).toEqual([]);
  });
});
