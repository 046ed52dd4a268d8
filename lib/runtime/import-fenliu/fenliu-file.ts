import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
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

export interface Plan {
  /** Rows of a post that has another row, which is kept. */
  merged: Set<number>;
  /** Times of approval of posts in the queue, in FenLiu's order: `reviewed_at`, those without last, then id. */
  approvedAt: Map<number, number>;
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
   * @throws ApiError bad_request for a damaged one
   */
  check(): void {
    const [result] = this.#db.prepare("PRAGMA quick_check(1)").all();
    if (String(Object.values(result ?? {})[0]) !== "ok") throw refusal("The file is damaged");
  }

  close(): void {
    this.#db.close();
  }

  /** Empty when this version of FenLiu has no such table. */
  rows(table: string): Row[] {
    if (!this.#tables.has(table)) return [];
    return (this.#db.prepare(`SELECT * FROM ${table}`).all() as Row[]).map(storable);
  }

  posts(after: number, limit: number): FenLiuPost[] {
    const batch = this.#db.prepare("SELECT * FROM posts WHERE id > ? ORDER BY id LIMIT ?");
    return (batch.all(after, limit) as Row[]).map(storable) as unknown as FenLiuPost[];
  }

  /** Two rows are one post when they have the same uri. */
  plan(startedAt: Date): Plan {
    const plan: Plan = { merged: new Set(), approvedAt: new Map() };
    const heads = this.#db
      .prepare(
        `SELECT id, url, approved, reviewed_at, auto_reject_reason, curated_exported, queue_status FROM posts
          ORDER BY coalesce(nullif(reviewed_at, ''), '~'), id`,
      )
      .iterate() as Iterable<unknown> as Iterable<FenLiuPost>;
    const kept = new Map<string, { id: number; rank: string }>();
    let last = { at: 0, id: 0 };
    for (const head of heads) {
      const { id, reviewed_at } = head;
      const state = stateOf(head);
      if (state !== "unreviewed" && state !== "rejected") {
        // Rounded to milliseconds, and one more wherever the order would change.
        const written = isoOf(reviewed_at);
        const at = Math.max(written === null ? startedAt.getTime() : Date.parse(written), last.at);
        last = { id, at: at === last.at && id < last.id ? at + 1 : at };
        plan.approvedAt.set(id, last.at);
      }
      const uri = addressOf(head.url)?.uri;
      if (uri === undefined) continue;
      // A delivered post must not be boosted again; otherwise the latest decision counts.
      const rank = `${state === "delivered" ? 1 : 0} ${reviewed_at ?? ""}`;
      const other = kept.get(uri);
      const isBetter = other === undefined || rank > other.rank || (rank === other.rank && id < other.id);
      if (other !== undefined) plan.merged.add(isBetter ? other.id : id);
      if (isBetter) kept.set(uri, { id, rank });
    }
    return plan;
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

  #number(table: string, what: string, condition = ""): number {
    if (!this.#tables.has(table)) return 0;
    return Number(this.#db.prepare(`SELECT ${what} AS n FROM ${table} ${condition}`).get()?.["n"] ?? 0);
  }
}

/** PostgreSQL stores no NUL and no half of a surrogate pair. */
function storable(row: Row): Row {
  for (const [name, value] of Object.entries(row))
    if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed()))
      row[name] = value.replaceAll("\0", "").toWellFormed();
  return row;
}
