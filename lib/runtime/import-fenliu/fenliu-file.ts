import { existsSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { ApiError } from "#lib/base/errors.ts";
import { addressOf } from "#lib/collect/adopt-address.ts";
import { type FenLiuPost, isoOf, stateOf } from "./convert-post.ts";

export type Row = Record<string, string | number | null>;

export const refusal = (message: string) => new ApiError("bad_request", { message });

/** Whether the error is one of SQLite about the file. */
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
      // A stranger may have made the file: its schema must not run functions with an effect, and its pages are checked.
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
   * Chooses one of several rows with the same uri: a delivered one, so that the post is not boosted again, otherwise the one
   * with the latest decision. Reads the whole table.
   * @returns the number of rows that are left out
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

  /** Rows of a table; none when this version of FenLiu has no such table. */
  rows(table: string): Row[] {
    if (!this.#tables.has(table)) return [];
    return this.#db.prepare(`SELECT * FROM ${table}`).all().map(storable);
  }

  /** A batch of posts, in order of id. Call `mergePosts` before. */
  posts(after: number, limit: number): FenLiuPost[] {
    const batch = this.#db.prepare(
      "SELECT p.* FROM posts p JOIN temp.post t USING (id) WHERE t.is_kept AND id > ? ORDER BY id LIMIT ?",
    );
    return batch.all(after, limit).map(storable) as unknown as FenLiuPost[];
  }

  /** Times of approval of queued posts, by id. Keeps FenLiu's order: by `reviewed_at` with nulls last, then by id. */
  approvals(startedAt: Date): Map<number, number> {
    const rows = this.#db.prepare(
      `SELECT id, reviewed_at FROM posts JOIN temp.post USING (id) WHERE state NOT IN ('unreviewed', 'rejected')
        ORDER BY coalesce(nullif(reviewed_at, ''), '~'), id`,
    );
    const approvedAt = new Map<number, number>();
    let last = { at: 0, id: 0 };
    for (const { id, reviewed_at } of rows.iterate() as Iterable<unknown> as Iterable<FenLiuPost>) {
      // Rounded to milliseconds. Where that would change the order, one millisecond is added.
      const written = isoOf(reviewed_at);
      const at = written === null ? startedAt.getTime() : Date.parse(written);
      last = { id, at: Math.max(at, id < last.id ? last.at + 1 : last.at) };
      approvedAt.set(id, last.at);
    }
    return approvedAt;
  }

  /** Highest id that FenLiu has ever given to a post. */
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

/** The row with texts that PostgreSQL can store: without NUL and lone surrogates. */
function storable(row: Record<string, SQLOutputValue>): Row {
  for (const [name, value] of Object.entries(row))
    if (typeof value === "string") row[name] = value.replaceAll("\0", "").toWellFormed();
  return row as Row;
}
