import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { ApiError } from "#lib/errors.ts";
import type { FenLiuPost } from "./convert-post.ts";

export type Row = Record<string, string | number | null>;

/** FenLiu's database, read-only and from one snapshot, also while FenLiu uses it. */
export class FenLiuFile {
  readonly #db: DatabaseSync;
  readonly #tables: ReadonlySet<string>;

  /** @throws ApiError bad_request */
  constructor(file: string) {
    if (!existsSync(file)) throw new ApiError("bad_request", { message: "The file does not exist" });
    try {
      this.#db = new DatabaseSync(file, { readOnly: true });
      this.#db.exec("BEGIN");
      const names = this.#db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
      this.#tables = new Set(names.map(({ name }) => String(name)));
    } catch {
      throw new ApiError("bad_request", { message: "The file is not an SQLite database" });
    }
    if (["posts", "hashtag_streams"].some((name) => !this.#tables.has(name)))
      throw new ApiError("bad_request", { message: "The file is not a database of FenLiu" });
  }

  close(): void {
    this.#db.close();
  }

  /** Empty when this version of FenLiu has no such table. */
  rows(table: string): Row[] {
    return this.#tables.has(table) ? (this.#db.prepare(`SELECT * FROM ${table}`).all() as Row[]) : [];
  }

  posts(after: number, limit: number): FenLiuPost[] {
    const batch = this.#db.prepare("SELECT * FROM posts WHERE id > ? ORDER BY id LIMIT ?");
    return batch.all(after, limit) as unknown as FenLiuPost[];
  }

  /** All posts without their contents. */
  *heads(): Generator<FenLiuPost> {
    const columns = "id, url, approved, reviewed_at, auto_reject_reason, curated_exported, queue_status";
    yield* this.#db
      .prepare(`SELECT ${columns} FROM posts ORDER BY id`)
      .iterate() as Iterable<unknown> as Iterable<FenLiuPost>;
  }

  fingerprint(): Uint8Array<ArrayBuffer> {
    const hash = createHash("sha256");
    const statement = this.#db.prepare(
      "SELECT json_array(id, post_id, url, approved, reviewed_at, queue_status) AS line FROM posts ORDER BY id",
    );
    for (const { line } of statement.iterate() as Iterable<Row>) hash.update(`${line}\n`);
    return new Uint8Array(hash.digest());
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
