import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolder } from "#tests/setup/folder.ts";

const posts = `id INTEGER PRIMARY KEY, post_id TEXT UNIQUE NOT NULL, content TEXT NOT NULL, author_username TEXT,
  author_display_name TEXT, author_url TEXT, author_is_bot BOOLEAN NOT NULL DEFAULT 0, instance TEXT NOT NULL, hashtags JSON,
  media_attachments JSON, boosts INTEGER NOT NULL DEFAULT 0, likes INTEGER NOT NULL DEFAULT 0, replies INTEGER NOT NULL DEFAULT 0,
  url TEXT, created_at DATETIME, fetched_at DATETIME NOT NULL, processed BOOLEAN NOT NULL DEFAULT 1,
  reviewed BOOLEAN NOT NULL DEFAULT 0, reviewed_at DATETIME, auto_reject_reason TEXT, approved BOOLEAN,
  curated_exported BOOLEAN NOT NULL DEFAULT 0, export_date DATETIME, training_data BOOLEAN NOT NULL DEFAULT 0,
  queue_status TEXT, reserved_at DATETIME, delivered_at DATETIME, error_reason TEXT, errored_at DATETIME, stream_id INTEGER`;
const since3 = `text_flagged BOOLEAN, text_reason TEXT, vision_accepted BOOLEAN, vision_category TEXT, vision_confidence FLOAT,
  vision_reason TEXT, ai_classified_at DATETIME, ai_would_reject BOOLEAN, error_details JSON`;
const before3 = "spam_score INTEGER, manual_spam_score INTEGER, reviewer_notes TEXT";

const others = `
  CREATE TABLE hashtag_streams (id INTEGER PRIMARY KEY, hashtag TEXT UNIQUE, instance TEXT, active BOOLEAN, last_check DATETIME,
    created_at DATETIME, updated_at DATETIME, enable_scheduling BOOLEAN, fetch_interval_minutes INTEGER,
    next_scheduled_fetch DATETIME, last_fetch_count INTEGER);
  CREATE TABLE review_feedback (id INTEGER PRIMARY KEY, post_id INTEGER, decision TEXT, created_at DATETIME);
  CREATE TABLE blocked_users (id INTEGER PRIMARY KEY, account_identifier TEXT, pattern_type TEXT, notes TEXT, created_at DATETIME);
  CREATE TABLE blocked_hashtags (id INTEGER PRIMARY KEY, hashtag TEXT UNIQUE, notes TEXT, created_at DATETIME);
  CREATE TABLE topical_hashtags (id INTEGER PRIMARY KEY, hashtag TEXT UNIQUE, topical_day_of_week INTEGER,
    topical_month_day TEXT, created_at DATETIME);
  CREATE TABLE app_settings (key TEXT PRIMARY KEY, value TEXT, updated_at DATETIME);
  CREATE TABLE queue_stats (id INTEGER PRIMARY KEY, total_deleted_delivered INTEGER, total_deleted_reserved INTEGER,
    total_deleted_pending INTEGER);
  CREATE TABLE error_history (id INTEGER PRIMARY KEY, error_reason TEXT, error_details JSON, author_username TEXT, instance TEXT,
    deleted_at DATETIME);`;

type Row = Record<string, string | number | null>;
type Tables = Partial<
  Record<
    | "hashtag_streams" | "posts" | "review_feedback" | "blocked_users" | "blocked_hashtags" | "topical_hashtags"
    | "app_settings" | "queue_stats" | "error_history",
    Row[]
  >
>; // prettier-ignore

/** A database as FenLiu of this major version creates it, in write-ahead mode; removed after the test. */
export function makeFenLiuFile(tables: Tables, version: 2 | 3 = 3): string {
  const file = path.join(makeFolder(), "fenliu.db");
  const database = new DatabaseSync(file);
  database.exec(
    `PRAGMA journal_mode = WAL; CREATE TABLE posts (${posts}, ${version === 2 ? before3 : since3}); ${others} BEGIN`,
  );
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) {
      const names = Object.keys(row);
      const values = names.map(() => "?").join(", ");
      database
        .prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${values})`)
        .run(...Object.values(row));
    }
  }
  database.exec("COMMIT");
  database.close();
  return file;
}

/** A post of user `author<id>` on birds.example, fetched by stream 1 and not reviewed. */
export function fenLiuPost(id: number, data: Row = {}): Row {
  return {
    id,
    post_id: String(100_000 + id),
    content: `<p>Bird number ${id} #birds</p>`,
    author_username: `author${id}`,
    author_url: `https://birds.example/@author${id}`,
    instance: "reader.example",
    hashtags: '["birds"]',
    media_attachments: "[]",
    url: `https://birds.example/@author${id}/${1000 + id}`,
    created_at: "2026-10-01 08:00:00",
    fetched_at: "2026-10-01 09:00:00.123456",
    stream_id: 1,
    ...data,
  };
}

export const fenLiuStream: Row = {
  id: 1,
  hashtag: "birds",
  instance: "reader.example",
  active: 1,
  created_at: "2026-01-01 00:00:00",
  enable_scheduling: 1,
  fetch_interval_minutes: 30,
  next_scheduled_fetch: "2030-01-01 00:00:00",
};

/** Columns of an approved post. */
export function approved(
  state: "pending" | "reserved" | "delivered" | "error" | null,
  at = "2026-10-02 10:00:00",
): Row {
  return {
    reviewed: 1,
    approved: 1,
    reviewed_at: at,
    queue_status: state,
    ...(state === "delivered" && { delivered_at: "2026-10-03 12:00:00" }),
    ...(state === "reserved" && { reserved_at: "2026-10-03 12:00:00" }),
    ...(state === "error" && { errored_at: "2026-10-03 12:00:00", error_reason: "Duplicate attachment" }),
  };
}
