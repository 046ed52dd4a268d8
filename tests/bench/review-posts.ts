import { fetchToEnd, throwOnError, type ApiCaller } from "#tests/setup/api-client.ts";
import { query } from "#tests/setup/database.ts";
import type { LoggedDecision } from "#tests/setup/desk.ts";
import type { Installation } from "#tests/setup/installation.ts";

/**
 * Fetches the simulated server's posts and copies them until there are `count` unreviewed posts by as many
 * authors.
 */
export async function addReviewPosts(
  { databaseUrl, remote }: Installation,
  call: ApiCaller,
  hashtag: string,
  count: number,
): Promise<void> {
  const strict = throwOnError(call);
  const { json: stream } = await strict<{ id: number }>("POST", "/streams", {
    hashtag,
    instance: remote.host,
    enable_scheduling: false,
  });
  await fetchToEnd(strict, stream.id);
  const changed = ["id", "uri", "url", "author_username", "author_account", "author_key", "created_at"];
  const rows = await query<{ name: string }>(
    databaseUrl,
    `SELECT quote_ident(attname) AS name FROM pg_attribute
      WHERE attrelid = 'post'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL ($1)`,
    [changed],
  );
  const copied = rows.map(({ name }) => name).join(", ");
  // Keeps the worker idle during measurements.
  await query(databaseUrl, "UPDATE post SET classified_at = now() WHERE classified_at IS NULL");
  await query(
    databaseUrl,
    `INSERT INTO post (uri, url, author_username, author_account, author_key, created_at, ${copied})
     SELECT uri || '/' || n, url || '/' || n, author_username || n, replace(author_account, author_username, author_username || n),
            replace(author_key, lower(author_username), lower(author_username) || n), created_at - n * interval '20 hours', ${copied}
       FROM post CROSS JOIN generate_series(1, 1000) n WHERE approved IS NULL
      ORDER BY n, id LIMIT $1::int - (SELECT count(*)::int FROM post WHERE approved IS NULL)`,
    [count],
  );
  await query(databaseUrl, "SELECT compact_tally()");
  await query(databaseUrl, "ANALYZE");
}

/**
 * The log entry a key should cause.
 *
 * @param next the card that an undo brings back
 */
export function decisionForKey(
  key: string,
  card: number,
  next: number | null,
  before: readonly LoggedDecision[],
): LoggedDecision {
  if (key === "z") {
    const last = before.findLast((decision) => decision.post_id === next);
    return { post_id: next ?? 0, action: last?.action === "skip" ? "unskip" : "unreview" };
  }
  return { post_id: card, action: key === "a" ? "approve" : key === "s" ? "skip" : "reject" };
}

export function compareWithLog(
  made: readonly LoggedDecision[],
  logged: readonly LoggedDecision[],
): { lost: number; doubled: number; misplaced: number } {
  const [wanted, found] = [made.map(keyOf), logged.map(keyOf)];
  const missing = (from: readonly string[], others: readonly string[]) => {
    const left = [...others];
    return from.filter((each) => {
      const at = left.indexOf(each);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    }).length;
  };
  const misplaced = wanted.filter((each, i) => found[i] !== each).length;
  return { lost: missing(wanted, found), doubled: missing(found, wanted), misplaced };
}

function keyOf({ post_id, action }: LoggedDecision): string {
  return `${action} ${post_id}`;
}
