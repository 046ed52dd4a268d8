import { existsSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { ApiError } from "#lib/base/errors.ts";
import { addressOf } from "#lib/collect/adopt-address.ts";
import { type FenLiuPost, isoOf, stateOf } from "./convert-post.ts";

export type Row = Record<string, string | number | null>;

export const refusal = (message: string) => new ApiError("bad_request", { message });

/** An error of SQLite while it reads a file. */
export function isFileError(error: unknown): error is Error {
  const { code } = error as { code?: unknown };
  return error instanceof Error && (code === "ERR_SQLITE_ERROR" || code === "ERR_OUT_OF_RANGE");
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
   * Chooses among rows of one post, which have the same uri: a delivered post must not be boosted again; otherwise the latest
   * decision counts. Reads the whole table.
   * @returns the number of rows that are not taken
   */
  mergePosts(): number {
    this.#db.function("uri_of", (url) => addressOf(typeof url === "string" ? url : null)?.uri ?? null);
    this.#db.function("state_of", (approved, auto_reject_reason, curated_exported, queue_status) =>
      stateOf({ approved, auto_reject_reason, curated_exported, queue_status } as FenLiuPost),
    );
    this.#db.exec(
      `CREATE TEMP TABLE post AS
       SELECT id, state, row_number() OVER (PARTITION BY coalesce(uri, id)
                ORDER BY state = 'delivered' DESC, coalesce(reviewed_at, '') DESC, id) = 1 AS is_kept
         FROM (SELECT id, reviewed_at, uri_of(url) AS uri,
                      state_of(approved, auto_reject_reason, curated_exported, queue_status) AS state FROM posts)`,
    );
    return Number(this.#db.prepare("SELECT count(*) AS n FROM temp.post WHERE NOT is_kept").get()?.["n"]);
  }

  close(): void {
    this.#db.close();
  }

  /** Empty when this version of FenLiu has no such table. */
  rows(table: string): Row[] {
    if (!this.#tables.has(table)) return [];
    return this.#db.prepare(`SELECT * FROM ${table}`).all().map(storable);
  }

  /** After `mergePosts`. */
  posts(after: number, limit: number): FenLiuPost[] {
    const batch = this.#db.prepare(
      "SELECT p.* FROM posts p JOIN temp.post t USING (id) WHERE t.is_kept AND id > ? ORDER BY id LIMIT ?",
    );
    return batch.all(after, limit).map(storable) as unknown as FenLiuPost[];
  }

  /** Times of approval of posts in the queue, in FenLiu's order: `reviewed_at`, those without last, then id. */
  approvals(startedAt: Date): Map<number, number> {
    const rows = this.#db.prepare(
      `SELECT id, reviewed_at FROM posts JOIN temp.post USING (id) WHERE state NOT IN ('unreviewed', 'rejected')
        ORDER BY coalesce(nullif(reviewed_at, ''), '~'), id`,
    );
    const approvedAt = new Map<number, number>();
    let last = { at: 0, id: 0 };
    for (const { id, reviewed_at } of rows.iterate() as Iterable<unknown> as Iterable<FenLiuPost>) {
      // Rounded to milliseconds, and one more wherever the order would change.
      const written = isoOf(reviewed_at);
      const at = written === null ? startedAt.getTime() : Date.parse(written);
      last = { id, at: Math.max(at, id < last.id ? last.at + 1 : last.at) };
      approvedAt.set(id, last.at);
    }
    return approvedAt;
  }

  /** No post of FenLiu, also no deleted one, had a higher id. */
  highestId(): number {
    const [stats = {}] = this.rows("queue_stats");
    const deleted = ["delivered", "reserved", "pending"].map((state) =>
      Number(stats[`total_deleted_${state}`] ?? 0),
    );
    const stored = this.#number("posts", "count(*)") + this.#number("error_history", "count(*)");
    const ids = [
      this.#number("posts", "max(id)"),
      this.#number("review_feedback", "max(post_id)"),
      this.#number("sqlite_sequence", "max(seq)", "WHERE name = 'posts'"),
      deleted.reduce((sum, n) => sum + n, stored),
    ];
    return Math.max(...ids);
  }

  highestStreamId(): number {
    return this.#number("hashtag_streams", "max(id)");
  }

  #number(table: string, what: string, condition = ""): number {
    if (!this.#tables.has(table)) return 0;
    return Number(this.#db.prepare(`SELECT ${what} AS n FROM ${table} ${condition}`).get()?.["n"] ?? 0);
  }
}

/** PostgreSQL stores no NUL and no half of a surrogate pair. */
function storable(row: Record<string, SQLOutputValue>): Row {
  for (const [name, value] of Object.entries(row))
    if (typeof value === "string") row[name] = value.replaceAll("\0", "").toWellFormed();
  return row as Row;
}
