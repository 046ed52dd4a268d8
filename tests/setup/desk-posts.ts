import { strictly, type ApiCaller } from "./api-caller.ts";
import type { Installation } from "./installation.ts";
import { query } from "./query.ts";

/**
 * Fetches what the simulated server has and multiplies it to `count` unreviewed posts: texts, pictures, warnings,
 * polls as they are fetched, by as many authors as that would take.
 */
export async function fillDesk(
  { databaseUrl, remote }: Installation,
  call: ApiCaller,
  hashtag: string,
  count: number,
): Promise<void> {
  const strict = strictly(call);
  const { json: stream } = await strict<{ id: number }>("POST", "/streams", {
    hashtag,
    instance: remote.host,
    enable_scheduling: false,
  });
  for (let end = false; !end;) {
    const { json } = await strict<{ cursor_at_end: boolean }>("POST", `/streams/${stream.id}/fetch`);
    end = json.cursor_at_end;
  }
  const own = ["id", "uri", "url", "author_username", "author_account", "author_key", "created_at"];
  const rows = await query<{ name: string }>(
    databaseUrl,
    `SELECT quote_ident(attname) AS name FROM pg_attribute
      WHERE attrelid = 'post'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL ($1)`,
    [own],
  );
  const others = rows.map(({ name }) => name).join(", ");
  // Marked as classified: the worker shall not be at it while something is measured.
  await query(databaseUrl, "UPDATE post SET classified_at = now() WHERE classified_at IS NULL");
  await query(
    databaseUrl,
    `INSERT INTO post (uri, url, author_username, author_account, author_key, created_at, ${others})
     SELECT uri || '/' || n, url || '/' || n, author_username || n, replace(author_account, author_username, author_username || n),
            replace(author_key, lower(author_username), lower(author_username) || n), created_at - n * interval '20 hours', ${others}
       FROM post CROSS JOIN generate_series(1, 1000) n WHERE approved IS NULL
      ORDER BY n, id LIMIT $1::int - (SELECT count(*)::int FROM post WHERE approved IS NULL)`,
    [count],
  );
  await query(databaseUrl, "SELECT compact_counters()");
  await query(databaseUrl, "ANALYZE");
}
