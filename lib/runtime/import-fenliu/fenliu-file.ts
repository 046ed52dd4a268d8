import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { ApiError } from "#lib/base/errors.ts";
import { type FenLiuPost, stateOf } from "./convert-post.ts";

export type Row = Record<string, string | number | null>;

/** The ids up to the highest one are taken from the sequence one by one: seconds for this number. */
const MAX_ID = 20_000_000;
/** Characters. */
const MAX_ROW = 4_000_000;

const refusal = (message: string) => new ApiError("bad_request", { message });

/** An error of SQLite while it reads a file. */
export function isFileError(error: unknown): error is Error {
  const { code } = error as { code?: unknown };
  return error instanceof Error && (code === "ERR_SQLITE_ERROR" || code === "ERR_OUT_OF_RANGE");
}

/** Id and uri of a post. */
export interface FileRow {
  id: number;
  uri: string;
}

/** PostgreSQL stores no NUL and no half of a surrogate pair. */
function storable(row: Row): Row {
  for (const [name, value] of Object.entries(row))
    if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed()))
      row[name] = value.replaceAll("\0", "").toWellFormed();
  return row;
}

/** FenLiu's database, read-only and from one snapshot, also while FenLiu uses it. */
export class FenLiuFile {
  readonly #db: DatabaseSync;
  readonly #tables: ReadonlySet<string>;

  /** @throws ApiError bad_request */
  constructor(file: string) {
    if (!existsSync(file)) throw refusal("The file does not exist");
    try {
      this.#db = new DatabaseSync(file, { readOnly: true });
      // The file may be made by somebody else: its schema runs no function with an effect, and its pages are checked.
      this.#db.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; BEGIN");
      const names = this.#db
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
        .all();
      this.#tables = new Set(names.map(({ name }) => String(name)));
    } catch {
      throw refusal("The file is not an SQLite database");
    }
    if (["posts", "hashtag_streams"].some((name) => !this.#tables.has(name)))
      throw refusal("The file is not a database of FenLiu");
  }

  /**
   * Reads the whole file once.
   *
   * @throws ApiError bad_request: damaged, or with values that FenLiu never has
   */
  check(): void {
    const [result] = this.#db.prepare("PRAGMA quick_check(1)").all();
    if (String(Object.values(result ?? {})[0]) !== "ok") throw refusal("The file is damaged");
    const sizes = ["content", "media_attachments", "hashtags"].map((name) => `coalesce(length(${name}), 0)`);
    const noId = `typeof(id) <> 'integer' OR id NOT BETWEEN 1 AND ${MAX_ID}`;
    const [row] = this.#db
      .prepare(`SELECT id FROM posts WHERE ${noId} OR ${sizes.join(" + ")} > ${MAX_ROW} LIMIT 1`)
      .all();
    if (row !== undefined) throw refusal(`The post ${String(row["id"])} has no valid id, or is too long`);
    if (this.#db.prepare(`SELECT id FROM hashtag_streams WHERE ${noId} LIMIT 1`).get() !== undefined)
      throw refusal("A stream has no valid id");
    if (this.highestId() > MAX_ID) throw refusal(`The file has ids above ${MAX_ID}`);
  }

  close(): void {
    this.#db.close();
  }

  /** Empty when this version of FenLiu has no such table. */
  rows(table: string): Row[] {
    return this.#tables.has(table)
      ? (this.#db.prepare(`SELECT * FROM ${table}`).all() as Row[]).map(storable)
      : [];
  }

  posts(after: number, limit: number): FenLiuPost[] {
    const batch = this.#db.prepare("SELECT * FROM posts WHERE id > ? ORDER BY id LIMIT ?");
    return (batch.all(after, limit) as Row[]).map(storable) as unknown as FenLiuPost[];
  }

  /** All posts without their contents. */
  heads(): Iterable<FenLiuPost> {
    return this.#heads("id");
  }

  /** In the order of the queue: `reviewed_at`, those without last, then id. */
  byReview(): Iterable<FenLiuPost> {
    return this.#heads("coalesce(nullif(reviewed_at, ''), '~'), id");
  }

  /**
   * Rows that have an address, rows of one address together, first the one that is kept: a delivered post must not be
   * boosted again; otherwise the latest decision counts.
   */
  byAddress(uriOf: (url: string | null) => string | null): Iterable<FileRow> {
    this.#db.function("uri_of", { deterministic: true }, (url) =>
      uriOf(typeof url === "string" ? url : null),
    );
    this.#db.function("is_delivered", { deterministic: true }, (approved, reason, exported, status) => {
      const head = { approved, auto_reject_reason: reason, curated_exported: exported, queue_status: status };
      return stateOf(head as Parameters<typeof stateOf>[0]) === "delivered" ? 1 : 0;
    });
    return this.#rows<FileRow>(`
      SELECT id, uri_of(url) AS uri FROM posts WHERE uri_of(url) IS NOT NULL
       ORDER BY 2, is_delivered(approved, auto_reject_reason, curated_exported, queue_status) DESC,
                coalesce(reviewed_at, '') DESC, id`);
  }

  #heads(order: string): Iterable<FenLiuPost> {
    return this.#rows<FenLiuPost>(`
      SELECT id, approved, reviewed_at, auto_reject_reason, curated_exported, queue_status FROM posts ORDER BY ${order}`);
  }

  #rows<T>(query: string): Iterable<T> {
    return this.#db.prepare(query).iterate() as Iterable<unknown> as Iterable<T>;
  }

  fingerprint(): string {
    const hash = createHash("sha256");
    const statement = this.#db.prepare(
      "SELECT json_array(id, post_id, url, approved, reviewed_at, queue_status) AS line FROM posts ORDER BY id",
    );
    for (const { line } of statement.iterate() as Iterable<Row>) hash.update(`${line}\n`);
    return hash.digest("hex");
  }

  /** No post of FenLiu, also no deleted one, had a higher id. */
  highestId(): number {
    const numbers = [this.#number("SELECT max(id) AS n FROM posts")];
    if (this.#tables.has("review_feedback"))
      numbers.push(this.#number("SELECT max(post_id) AS n FROM review_feedback"));
    if (this.#tables.has("sqlite_sequence"))
      numbers.push(this.#number("SELECT max(seq) AS n FROM sqlite_sequence WHERE name = 'posts'"));
    numbers.push(this.#number("SELECT count(*) AS n FROM posts") + this.deletedPosts().fetched);
    return Math.max(...numbers);
  }

  /** Counts of events of posts that FenLiu has deleted. */
  deletedPosts() {
    const [stats = {}] = this.rows("queue_stats");
    const ofStats = (name: string) => Number(stats[name] ?? 0);
    const delivered = ofStats("total_deleted_delivered");
    const trimmed = ofStats("total_deleted_pending");
    const errors = this.#tables.has("error_history")
      ? this.#number("SELECT count(*) AS n FROM error_history")
      : 0;
    const approved = delivered + trimmed + errors + ofStats("total_deleted_reserved");
    const rejected = this.#tables.has("review_feedback")
      ? this.#number(`
          SELECT count(*) AS n FROM review_feedback f
           WHERE decision = 'rejected' AND NOT EXISTS (SELECT 1 FROM posts WHERE id = f.post_id)
             AND NOT EXISTS (SELECT 1 FROM review_feedback l
                              WHERE l.post_id = f.post_id AND l.id > f.id AND l.decision IN ('approved', 'rejected'))`)
      : 0;
    return { fetched: approved + rejected, approved, rejected, auto_rejected: 0, delivered, errors, trimmed };
  }

  #number(query: string): number {
    return Number((this.#db.prepare(query).get() as { n: number | null }).n ?? 0);
  }
}
