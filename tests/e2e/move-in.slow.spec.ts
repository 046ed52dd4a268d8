import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, panelOf, signedInTest } from "#tests/setup/browser-test.ts";
import { startWithAdmin } from "#tests/setup/installation.ts";
import { expectNoHorizontalScroll } from "#tests/setup/page-checks.ts";

const test = signedInTest(() => startWithAdmin({ posts: 0, hashtags: [] }, () => Promise.resolve({})));

test.use({ viewport: { width: 390, height: 780 } });

/** Two posts, and a table that makes the file longer than one part of an upload. */
function makeDatabase(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE hashtag_streams (id INTEGER PRIMARY KEY, hashtag TEXT, instance TEXT, active BOOLEAN, created_at TEXT,
      enable_scheduling BOOLEAN, fetch_interval_minutes INTEGER, next_scheduled_fetch TEXT);
    INSERT INTO hashtag_streams VALUES (1, 'birds', 'reader.example', 0, '2026-01-01 00:00:00', 0, 60, NULL);
    CREATE TABLE posts (id INTEGER PRIMARY KEY, post_id TEXT, content TEXT, author_username TEXT, author_display_name TEXT,
      author_url TEXT, author_is_bot BOOLEAN, hashtags JSON, media_attachments JSON, boosts INTEGER, likes INTEGER,
      replies INTEGER, url TEXT, created_at TEXT, fetched_at TEXT, reviewed_at TEXT, auto_reject_reason TEXT,
      approved BOOLEAN, curated_exported BOOLEAN, export_date TEXT, queue_status TEXT, reserved_at TEXT, delivered_at TEXT,
      error_reason TEXT, errored_at TEXT, error_details JSON, stream_id INTEGER);`);
  const insert = database.prepare(`
    INSERT INTO posts (id, post_id, content, author_username, author_url, hashtags, media_attachments, boosts, likes, replies,
                       url, created_at, fetched_at, stream_id)
    VALUES (?, ?, ?, 'ana', 'https://birds.example/@ana', '[]', '[]', 0, 0, 0, ?, '2026-01-01 00:00:00',
            '2026-01-01 00:00:00', 1)`);
  insert.run(1, "101", "<p>A heron</p>", "https://birds.example/@ana/101");
  insert.run(2, "102", "<p>No address</p>", null);
  database.exec("CREATE TABLE filler AS SELECT zeroblob(1200000) AS bytes");
  database.close();
}

test("an admin uploads FenLiu's database, tries it by keyboard, and imports it", async ({
  page,
  installation,
}, info) => {
  const file = info.outputPath("fenliu.db");
  makeDatabase(file);
  await installation.open(page, "/settings/move-in");
  const panel = panelOf(page, "Move in from FenLiu");
  await expect(panel.getByRole("button", { name: "Upload" })).toBeDisabled();

  await panel.getByLabel("Database file").setInputFiles({
    name: "picture.db",
    mimeType: "image/png",
    buffer: Buffer.from("\x89PNG and more of a picture"),
  });
  await panel.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("The file is not an SQLite database")).toBeVisible();

  await panel.getByLabel("Database file").setInputFiles(file);
  await panel.getByRole("button", { name: "Upload" }).press("Enter");
  await expect(panel.getByText("A file of 1.2 MB is ready.")).toBeVisible();
  await panel.getByRole("button", { name: "Dry run" }).press("Enter");
  await expect(page.getByText("Dry run: nothing was changed")).toBeVisible({ timeout: 60_000 });
  await expect(panelOf(page, "Not taken").getByText("has no address")).toBeVisible();
  await expectNoHorizontalScroll(page, "move-in");
  const csv = page.getByRole("link", { name: "Export CSV: Not taken" });
  const [download] = await Promise.all([page.waitForEvent("download"), csv.click()]);
  expect(readFileSync(await download.path(), "utf8")).toBe("table,id,reason\r\nposts,2,has no address\r\n");

  await panel.getByRole("button", { name: "Import" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Import" }).click();
  await expect(page.getByText("The import is complete")).toBeVisible({ timeout: 60_000 });
  await expect(
    page.getByText(`base_url = "${installation.app.url.replace(/\/$/, "")}/api/v1"`),
  ).toBeVisible();
  await expect(panel.getByText("is ready.")).toBeHidden();
  await expectNoHorizontalScroll(page, "move-in");
  await installation.open(page, "/posts/1");
  await expect(page.getByText("A heron").first()).toBeVisible();
});
