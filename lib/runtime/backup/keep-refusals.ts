import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { unifyFormats } from "./catalog.ts";
import { connect } from "./connect.ts";

/* Deletions and refusals of a former database, whose backup is being restored, that are newer than the backup. */

/** A database whose refusals are taken over. */
export type FormerDatabase = { url: string; /** As the operator named it. */ place: string };

export type KeptRefusals = {
  /** Tombstones, consent drops, and opt-outs that were reported or confirmed. */
  deletions: number;
  refusals: number;
  optOuts: number;
  /** Restored posts that were deleted again. */
  deletedPosts: number;
  /** Restored posts that are gone or withdrawn at their own servers, emptied again. */
  emptiedPosts: number;
};

/** Temporary tables, and the queries that fill them from the former database. */
const COPIES = [
  {
    name: "former_tombstone",
    columns: "uri_hmac bytea, reason text, at timestamptz",
    query: "SELECT uri_hmac, reason, at FROM tombstone",
  },
  {
    name: "former_drop",
    columns: "uri text, rule text, at timestamptz",
    query: "SELECT uri, rule, at FROM consent_drop",
  },
  {
    name: "former_report",
    columns: `author_key text, reason text, post_id integer, reported_at timestamptz, resolved_at timestamptz,
              resolution text, blocked boolean`,
    query: `SELECT author_key, reason, post_id, reported_at, resolved_at, resolution,
                   EXISTS (SELECT FROM blocked_user WHERE pattern_type = 'exact' AND account_identifier = author_key)
              FROM reported_opt_out WHERE resolution IS NULL OR resolution = 'confirmed'`,
  },
  {
    name: "former_erased",
    columns: "uri text, reason text",
    query: "SELECT uri, coalesce(auto_reject_reason, 'gone') FROM post WHERE erased_at IS NOT NULL",
  },
  {
    name: "former_author",
    columns: "author_key text",
    query: `SELECT key AS author_key FROM figure WHERE dimension = 'author' UNION SELECT author_key FROM post
             UNION SELECT author_key FROM figure_delta WHERE author_key IS NOT NULL`,
  },
  {
    name: "former_learnt",
    columns: "author_hmac bytea",
    query: "SELECT DISTINCT author_hmac FROM check_example",
  },
];

/** Keeps what is newer than the restored rows. */
const DROP_OLDER = `
  DELETE FROM former_tombstone f USING tombstone t WHERE t.uri_hmac = f.uri_hmac;
  DELETE FROM former_drop f USING consent_drop d WHERE d.uri = f.uri AND d.at >= f.at;
  DELETE FROM former_report f USING reported_opt_out r
   WHERE r.author_key = f.author_key
     AND greatest(r.reported_at, r.resolved_at) >= greatest(f.reported_at, f.resolved_at);
  ANALYZE former_tombstone; ANALYZE former_drop; ANALYZE former_report; ANALYZE former_erased;
  ANALYZE former_author; ANALYZE former_learnt`;

/** Restored posts that they name. of_author: the refusal concerns the author. */
const FIND_NAMED = `
  CREATE TEMPORARY TABLE former_named ON COMMIT DROP AS
  SELECT DISTINCT ON (id) id, author_key, reason, of_author FROM (
    SELECT p.id, p.author_key, 'opt_out' AS reason, true AS of_author
      FROM post p JOIN former_report f ON f.author_key = p.author_key WHERE f.resolution = 'confirmed'
    UNION ALL
    SELECT p.id, p.author_key, 'opt_out', f.rule IN ('refusal_tag', 'noindex', 'reported')
      FROM post p JOIN former_drop f ON f.uri = p.uri
    UNION ALL
    SELECT p.id, p.author_key, f.reason, false FROM post p JOIN former_tombstone f ON f.uri_hmac = uri_hmac(p.uri)
  ) named ORDER BY id, of_author DESC, reason = 'opt_out' DESC`;

/** Then the tombstones with their former times. */
const DELETE_NAMED = `
  SELECT delete_posts(array_agg(id), reason)
    FROM (SELECT id, reason, row_number() OVER (PARTITION BY reason ORDER BY id) / 5000 AS part FROM former_named) posts
   GROUP BY reason, part;
  SELECT forget_authors(ARRAY(SELECT author_key FROM former_named WHERE of_author
                              UNION SELECT author_key FROM former_report WHERE resolution = 'confirmed'));
  INSERT INTO tombstone (uri_hmac, reason, at) SELECT uri_hmac, reason, at FROM former_tombstone ORDER BY uri_hmac
  ON CONFLICT (uri_hmac) DO UPDATE SET reason = excluded.reason, at = excluded.at;
  INSERT INTO consent_drop (uri, rule, at) SELECT uri, rule, at FROM former_drop ORDER BY uri
  ON CONFLICT (uri) DO UPDATE SET rule = excluded.rule, at = excluded.at`;

/** Authors without a post whose names and examples were there at the backup, and are not in the former database. */
const FORGET_NAMES = `
  SELECT forget_authors(ARRAY(
    SELECT author_key FROM (SELECT key AS author_key FROM figure WHERE dimension = 'author'
                            UNION SELECT author_key FROM figure_delta WHERE author_key IS NOT NULL) named
     WHERE NOT EXISTS (SELECT FROM former_author f WHERE f.author_key = named.author_key)
       AND NOT EXISTS (SELECT FROM post p WHERE p.author_key = named.author_key)));
  DELETE FROM check_example e
   WHERE emptied AND NOT EXISTS (SELECT FROM former_learnt f WHERE f.author_hmac = e.author_hmac)`;

/** As lib/consent/opt-outs.ts: an open report holds the author's posts, a confirmed one blocks the author. */
const KEEP_REPORTS = `
  INSERT INTO reported_opt_out AS o (author_key, reason, post_id, reported_at, resolved_at, resolution)
  SELECT f.author_key, CASE WHEN p.id IS NULL THEN '' ELSE f.reason END, p.id, f.reported_at, f.resolved_at, f.resolution
    FROM former_report f LEFT JOIN post p ON p.id = f.post_id AND p.author_key = f.author_key ORDER BY f.author_key
  ON CONFLICT (author_key) DO UPDATE SET reason = excluded.reason, post_id = excluded.post_id,
     reported_at = excluded.reported_at, resolved_at = excluded.resolved_at, resolution = excluded.resolution;
  INSERT INTO blocked_user (account_identifier, pattern_type, notes)
  SELECT author_key, 'exact', 'Opted out' FROM former_report WHERE resolution = 'confirmed' AND blocked ORDER BY 1
  ON CONFLICT DO NOTHING;
  UPDATE queue_entry q SET holds = holds | 32 FROM former_report f
   WHERE q.author_key = f.author_key AND f.resolution IS NULL AND q.state <> 'delivered'`;

/** Posts that are gone at their own servers. A post that a consumer has is rejected after it returns, as in lib/ingest. */
const FIND_ERASED = `
  CREATE TEMPORARY TABLE former_emptied ON COMMIT DROP AS
  SELECT p.id, f.reason, q.state, p.approved, coalesce(q.state, '') NOT IN ('reserved', 'delivered')
                                              AND p.approved IS DISTINCT FROM false AS is_rejected
    FROM former_erased f JOIN post p ON p.uri = f.uri LEFT JOIN queue_entry q ON q.post_id = p.id
   WHERE p.erased_at IS NULL`;
const EMPTY_ERASED = `
  INSERT INTO post_event (post_id, actor, source, action, from_state, to_state, note)
  SELECT id, 'Sluice', 'filter', 'auto_reject', coalesce(state, 'unreviewed'), 'rejected', reason
    FROM former_emptied WHERE is_rejected ORDER BY id;
  DELETE FROM queue_entry q USING former_emptied f WHERE q.post_id = f.id AND f.is_rejected;
  UPDATE queue_entry q SET holds = (holds & ~4) | 8 FROM former_emptied f WHERE q.post_id = f.id AND q.state = 'reserved';
  UPDATE post p SET approved = false, reviewed_at = now(), reviewed_by = 'Sluice', reviewed_by_member = NULL,
         approved_at = NULL, auto_reject_reason = f.reason
    FROM former_emptied f WHERE p.id = f.id AND f.is_rejected;
  SELECT erase_posts(ARRAY(SELECT id FROM former_emptied))`;

/**
 * Takes over deletions and refusals, and deletes what they name from the restored rows.
 *
 * @param client in the transaction of the restore, with the present functions
 * @throws OperatorError when they cannot be read, or belong to another installation
 */
export async function keepRefusals(client: pg.Client, former: FormerDatabase): Promise<KeptRefusals> {
  await readFormer(client, former);
  await client.query(DROP_OLDER);
  await client.query(FIND_NAMED);
  await client.query(DELETE_NAMED);
  await client.query(FORGET_NAMES);
  await client.query(KEEP_REPORTS);
  await client.query(FIND_ERASED);
  await client.query(EMPTY_ERASED);
  const { rows } = await client.query<KeptRefusals>(
    `SELECT (SELECT count(*)::int FROM former_tombstone) AS deletions, (SELECT count(*)::int FROM former_drop) AS refusals,
            (SELECT count(*)::int FROM former_report) AS "optOuts",
            (SELECT count(*)::int FROM former_named) AS "deletedPosts",
            (SELECT count(*)::int FROM former_emptied) AS "emptiedPosts"`,
  );
  return rows[0] as KeptRefusals;
}

async function readFormer(client: pg.Client, { url, place }: FormerDatabase): Promise<void> {
  const source = await connect(url, "sluice-keep-refusals").catch((error: unknown) => {
    throw new OperatorError(`${place}: ${(error as Error).message}`);
  });
  try {
    await source.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await unifyFormats(source);
    const [ours, theirs] = [await secretOf(client), await secretOf(source)];
    if (ours === null || ours !== theirs) {
      throw new OperatorError(
        `${place} is the data of another installation than the backup. Nothing was changed.`,
      );
    }
    for (const { name, columns, query } of COPIES) {
      await client.query(`CREATE TEMPORARY TABLE ${name} (${columns}) ON COMMIT DROP`);
      await pipeline(
        source.query(copyTo(`COPY (${query}) TO STDOUT (FORMAT csv, ENCODING 'UTF8')`)),
        client.query(copyFrom(`COPY ${name} FROM STDIN (FORMAT csv, ENCODING 'UTF8')`)),
      );
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `The refusals in ${place} cannot be read (${(error as Error).message}). Nothing was changed.`,
    );
  } finally {
    await source.end();
  }
}

/** The key of the tombstones, made with the first database of an installation. */
async function secretOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ secret: string }>(
    "SELECT encode(tombstone_secret, 'hex') AS secret FROM installation",
  );
  return rows[0]?.secret ?? null;
}
