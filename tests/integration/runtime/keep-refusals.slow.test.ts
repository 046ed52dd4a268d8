import { existsSync, readdirSync, renameSync } from "node:fs";
import path from "node:path";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { restoreBackup } from "#lib/runtime/backup/restore-backup.ts";
import { writeBackup } from "#lib/runtime/backup/write-backup.ts";
import { startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import { copyTemplate, query } from "#tests/setup/database.ts";
import { makeDatabase, makeFolder } from "./backup-database.ts";
import { makeDataDir, sluice } from "./command-process.ts";

/* `restore --keep-refusals`: deletions and refusals that are newer than the backup. */

/** Posts with these names, by authors of the same names, all approved unless named otherwise. */
const posts = (names: string[]) => `
  INSERT INTO post (uri, content, plain_text, author_username, author_account, author_key, instance, created_at, approved,
    reviewed_at, from_home, confirmed_at, consent)
  SELECT 'https://h.example/' || n, 'text of ' || n, 'text of ' || n, n, '@' || n || '@h.example', n || '@h.example', 'h.example', now(),
         CASE WHEN n NOT LIKE 'unread%' THEN true END, CASE WHEN n NOT LIKE 'unread%' THEN now() END, true, now(), '{}'
    FROM unnest('{${names.join()}}'::text[]) n;
  SELECT queue_enqueue(ARRAY(SELECT id FROM post WHERE approved AND NOT EXISTS (SELECT FROM queue_entry WHERE post_id = id)), now(), 24);
  INSERT INTO check_example (post_id, author_hmac, rejected, reviewed_at)
    SELECT id, uri_hmac(author_key), false, now() FROM post ON CONFLICT DO NOTHING;
  INSERT INTO figure (dimension, grain, key, metric, at, bucket, n)
    SELECT 'author', 'day', author_key, 'approved', current_date, -1, 1 FROM post ON CONFLICT DO NOTHING`;
const idsOf = (...names: string[]) =>
  `ARRAY(SELECT id FROM post WHERE uri = ANY ('{${names.map((name) => `https://h.example/${name}`).join()}}'))`;

/** A database with these posts, and its backup. */
async function backedUp(names: string[], before = "SELECT 1") {
  const { url: source, drop } = await copyTemplate(inject("databaseServer"));
  onTestFinished(drop);
  await query(source, `${posts(names)}; ${before}`);
  const file = path.join(makeFolder(), "backup.zip");
  await writeBackup({ url: source, file, sealed: null });
  const restore = async () => {
    const target = await makeDatabase();
    const { kept } = await restoreBackup({ url: target, file, former: { url: source, place: "old" } });
    const left = async () =>
      (await query<{ name: string }>(target, "SELECT substr(uri, 19) AS name FROM post ORDER BY uri")).map(
        ({ name }) => name,
      );
    return { target, kept, left };
  };
  return { source, file, restore };
}

const nothing = { deletions: 0, refusals: 0, optOuts: 0, deletedPosts: 0, emptiedPosts: 0 };

describe("restore with the former database", () => {
  test("changes nothing when nothing was refused since", async () => {
    const { restore } = await backedUp(
      ["ann", "bob"],
      `SELECT delete_posts(${idsOf("bob")}, 'deleted'); INSERT INTO consent_drop (uri, rule) VALUES ('https://h.example/x', 'noindex');
       INSERT INTO reported_opt_out (author_key, reason) VALUES ('ann@h.example', 'nobot')`,
    );
    const { kept, left } = await restore();
    expect([kept, await left()]).toEqual([nothing, ["ann"]]);
  });

  test("deletes the posts that were deleted since, for any reason, with the former times", async () => {
    const reasons = ["deleted", "cleanup", "trim", "rejected", "opt_out"];
    const { source, restore } = await backedUp(["kept", ...reasons]);
    for (const reason of reasons) await query(source, `SELECT delete_posts(${idsOf(reason)}, '${reason}')`);
    await query(source, `UPDATE tombstone SET at = at - interval '1 hour'; ${posts(["later"])}`);
    const { target, kept, left } = await restore();
    expect(kept).toEqual({ ...nothing, deletions: reasons.length, deletedPosts: reasons.length });
    expect(await left()).toEqual(["kept"]);
    const all = "SELECT encode(uri_hmac, 'hex') AS uri, reason, at::text FROM tombstone ORDER BY 1";
    expect(await query(target, all)).toEqual(await query(source, all));
    const examples = await query(
      target,
      "SELECT count(*)::int AS n FROM check_example WHERE author_hmac = uri_hmac('opt_out@h.example')",
    );
    expect(examples).toEqual([{ n: 0 }]);
    expect(
      await query(
        target,
        "SELECT sum(n)::int AS pending FROM figure_now('{level}', 'all') WHERE metric = 'pending'",
      ),
    ).toEqual([{ pending: 1 }]);
  });

  test("forgets authors who refused since, and keeps the refusals", async () => {
    const { source, restore } = await backedUp(["kept", "tagged", "posttag"]);
    await query(
      source,
      `INSERT INTO consent_drop (uri, rule) VALUES ('https://h.example/tagged', 'refusal_tag'),
         ('https://h.example/posttag', 'refusal_tag_on_post'), ('https://h.example/new', 'noindex');
       SELECT delete_posts(${idsOf("tagged", "posttag")}, 'opt_out');
       SELECT forget_authors('{tagged@h.example}')`,
    );
    const { target, kept, left } = await restore();
    expect(kept).toEqual({ ...nothing, deletions: 2, refusals: 3, deletedPosts: 2 });
    expect(await left()).toEqual(["kept"]);
    const drops = "SELECT uri, rule, at::text FROM consent_drop ORDER BY uri";
    expect(await query(target, drops)).toEqual(await query(source, drops));
    const figures =
      "SELECT key AS author_key FROM figure WHERE dimension = 'author' AND grain = 'day' ORDER BY 1";
    expect(await query(target, figures)).toEqual([
      { author_key: "kept@h.example" },
      { author_key: "posttag@h.example" },
    ]);
  });

  test("forgets authors who refused since and of whom no post was stored", async () => {
    const { source, restore } = await backedUp(
      ["kept", "cleaned", "left"],
      `SELECT delete_posts(${idsOf("cleaned", "left")}, 'cleanup')`,
    );
    await query(source, "SELECT forget_authors('{left@h.example}')");
    const { target, kept } = await restore();
    expect(kept).toEqual(nothing);
    const names = await query(
      target,
      `SELECT author_key, (SELECT count(*)::int FROM check_example WHERE author_hmac = uri_hmac(author_key)) AS examples
         FROM unnest('{cleaned,kept,left}'::text[]) n, concat(n, '@h.example') author_key
        WHERE EXISTS (SELECT FROM figure WHERE dimension = 'author' AND key = concat(n, '@h.example'))
           OR EXISTS (SELECT FROM check_example WHERE author_hmac = uri_hmac(concat(n, '@h.example')))`,
    );
    expect(names).toEqual([
      { author_key: "cleaned@h.example", examples: 1 },
      { author_key: "kept@h.example", examples: 1 },
    ]);
  });

  test("takes over reported and confirmed opt-outs, not dismissed ones", async () => {
    const { source, restore } = await backedUp(
      ["open", "confirmed", "service", "dismissed", "again"],
      `INSERT INTO reported_opt_out (author_key, reason, reported_at, resolved_at, resolution)
       VALUES ('again@h.example', 'old', now() - interval '2 days', now() - interval '1 day', 'dismissed')`,
    );
    await query(
      source,
      `INSERT INTO reported_opt_out (author_key, reason, post_id)
         SELECT author_key, 'nobot', id FROM post WHERE author_username <> 'again';
       UPDATE reported_opt_out SET reason = 'nobot', reported_at = now(), resolved_at = NULL, resolution = NULL WHERE author_key = 'again@h.example';
       UPDATE reported_opt_out SET resolved_at = now(), resolution = 'dismissed' WHERE author_key = 'dismissed@h.example';
       UPDATE reported_opt_out SET resolved_at = now(), resolution = 'confirmed'
        WHERE author_key IN ('confirmed@h.example', 'service@h.example');
       INSERT INTO blocked_user (account_identifier, pattern_type, notes) VALUES ('confirmed@h.example', 'exact', 'Opted out')`,
    );
    const { target, kept, left } = await restore();
    expect(kept).toEqual({ ...nothing, optOuts: 4, deletedPosts: 2 });
    expect(await left()).toEqual(["again", "dismissed", "open"]);
    expect(
      await query(
        target,
        "SELECT author_key, reason, post_id IS NOT NULL AS has_post, resolution FROM reported_opt_out ORDER BY author_key",
      ),
    ).toEqual([
      { author_key: "again@h.example", reason: "", has_post: false, resolution: null },
      { author_key: "confirmed@h.example", reason: "", has_post: false, resolution: "confirmed" },
      { author_key: "open@h.example", reason: "nobot", has_post: true, resolution: null },
      { author_key: "service@h.example", reason: "", has_post: false, resolution: "confirmed" },
    ]);
    expect(
      await query(target, "SELECT author_key, holds & 32 AS held FROM queue_entry ORDER BY author_key"),
    ).toEqual([
      { author_key: "again@h.example", held: 32 },
      { author_key: "dismissed@h.example", held: 0 },
      { author_key: "open@h.example", held: 32 },
    ]);
    expect(await query(target, "SELECT account_identifier, notes FROM blocked_user")).toEqual([
      { account_identifier: "confirmed@h.example", notes: "Opted out" },
    ]);
  });

  test("empties posts that are gone at home since, and rejects those that no consumer has", async () => {
    const { source, restore } = await backedUp(
      ["kept", "pending", "unread", "reserved", "failed"],
      `UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), reserved_at = now(),
              lease_expires_at = now() + interval '1 hour' WHERE author_key = 'reserved@h.example';
       UPDATE queue_entry SET state = 'error', errored_at = now(), error_reason = 'text of failed' WHERE author_key = 'failed@h.example'`,
    );
    const gone = idsOf("pending", "unread", "reserved", "failed");
    await query(
      source,
      `DELETE FROM queue_entry WHERE post_id = ANY (${gone}); UPDATE post SET approved = false, reviewed_at = now(), approved_at = NULL, auto_reject_reason = 'gone' WHERE id = ANY (${gone});
       SELECT erase_posts(${gone})`,
    );
    const { target, kept } = await restore();
    expect(kept).toEqual({ ...nothing, emptiedPosts: 4 });
    const found = await query(
      target,
      `SELECT author_username AS name, approved, auto_reject_reason AS reason, content, erased_at IS NOT NULL AS erased, state, holds & 8 AS held
         FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id ORDER BY 1`,
    );
    const rejected = { approved: false, reason: "gone", content: "", erased: true, state: null, held: null };
    expect(found).toEqual([
      { ...rejected, name: "failed" },
      {
        name: "kept",
        approved: true,
        reason: null,
        content: "text of kept",
        erased: false,
        state: "pending",
        held: 0,
      },
      { ...rejected, name: "pending" },
      { ...rejected, name: "reserved", approved: true, reason: null, state: "reserved", held: 8 },
      { ...rejected, name: "unread" },
    ]);
    expect(
      await query(
        target,
        `SELECT coalesce(sum(n) FILTER (WHERE metric = 'pending'), 0)::int AS n,
                coalesce(sum(n) FILTER (WHERE metric = 'error'), 0)::int AS failed FROM figure_now('{level}', 'all')`,
      ),
    ).toEqual([{ n: 1, failed: 0 }]);
  });

  test("is refused for another installation and an unreadable database, and nothing is restored", async () => {
    const { file } = await backedUp(["ann"]);
    const { url: other, drop } = await copyTemplate(inject("databaseServer"));
    onTestFinished(drop);
    await query(other, "UPDATE installation SET tombstone_secret = sha256('other')");
    const target = await makeDatabase();
    const into = (url: string) => restoreBackup({ url: target, file, former: { url, place: "old" } });
    await expect(into(other)).rejects.toThrow("old is the data of another installation than the backup.");
    await query(other, "DROP TABLE consent_drop");
    await query(other, `UPDATE installation SET tombstone_secret = decode('${await secretOf(file)}', 'hex')`);
    await expect(into(other)).rejects.toThrow(
      /^The refusals in old cannot be read \(.*consent_drop.*Nothing was changed\.$/,
    );
    const away = new URL(target);
    away.pathname = "/nowhere";
    await expect(into(away.href)).rejects.toThrow(/^old: The database cannot be reached/);
    expect(await query(target, "SELECT to_regclass('post')::text AS post")).toEqual([{ post: null }]);
  });
});

async function secretOf(file: string): Promise<string> {
  const target = await makeDatabase();
  await restoreBackup({ url: target, file });
  const [row] = await query<{ secret: string }>(
    target,
    "SELECT encode(tombstone_secret, 'hex') AS secret FROM installation",
  );
  return row?.secret ?? "";
}

test(
  "the command takes the refusals from the data folder that was moved away",
  { timeout: 300_000 },
  async () => {
    const dataDir = makeDataDir();
    const settings = { DATA_DIR: dataDir, BACKUP_PASSPHRASE: "a long passphrase" };
    expect(await sluice(["create-account", "--email", "a@example.org"], settings)).toMatchObject({ code: 0 });
    const at = async (folder: string, sql: string) => {
      const server = await startEmbeddedPostgres({ dataDir: folder });
      try {
        return await query(server.url, sql);
      } finally {
        await server.stop();
      }
    };
    await at(dataDir, posts(["ann", "bob"]));
    const file = path.join(makeFolder(), "backup.zip");
    expect(await sluice(["backup", file], settings)).toMatchObject({ code: 0 });
    await at(dataDir, `SELECT delete_posts(${idsOf("bob")}, 'opt_out')`);
    const restore = (...more: string[]) => sluice(["restore", file, ...more], settings);

    const same = await restore("--keep-refusals", dataDir);
    expect([same.code, same.output]).toEqual([1, expect.stringContaining("is the folder to restore into")]);
    const old = path.join(makeDataDir(), "old");
    renameSync(dataDir, old);
    const missing = await restore("--keep-refusals", `${old}er`);
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining("There is no folder")]);
    const empty = makeDataDir();
    const wrong = await restore("--keep-refusals", empty);
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining(`${empty} has no database`)]);
    expect(readdirSync(empty)).toEqual([]);
    expect(existsSync(path.join(dataDir, "postgres"))).toBe(false);

    const running = await startEmbeddedPostgres({ dataDir: old });
    const used = await restore("--keep-refusals", old);
    await running.stop();
    expect([used.code, used.output]).toEqual([1, expect.stringContaining("already runs on")]);

    const done = await restore("--keep-refusals", old);
    expect([done.code, done.output]).toEqual([
      0,
      expect.stringContaining(
        `Kept from ${old}, newer than the backup: 1 deletion, 0 refusals and 0 opt-outs. 1 restored post deleted again, 0 emptied.`,
      ),
    ]);
    const stored = "SELECT author_username AS name FROM post ORDER BY 1";
    expect(await at(dataDir, stored)).toEqual([{ name: "ann" }]);
    // Of the former data nothing is lost.
    expect(await at(old, stored)).toEqual([{ name: "ann" }]);
  },
);
