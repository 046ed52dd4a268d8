import { Prisma, type Tx } from "#lib/db.ts";
import { hostAfter, isRenamed, type HandleChange } from "#lib/hosts/handle-changes.ts";
import { refreshEntries } from "#lib/queue/queue-entries.ts";
import { searchLexemes } from "#lib/search/tokens.ts";

/**
 * Renames the authors of up to `limit` posts, with their queue entries. The old handle stays searchable.
 *
 * @returns the new author keys, and whether posts are left
 */
export async function renamePosts(
  tx: Tx,
  change: HandleChange,
  limit: number,
): Promise<{ authors: string[]; more: boolean }> {
  const wanted = Prisma.sql`instance = ${change.host} AND ${isRenamed(Prisma.sql`author_key`, change)}`;
  const rows = await tx.$queryRaw<{ id: number; author_username: string }[]>`
    SELECT id, author_username FROM post WHERE ${wanted}
     ORDER BY created_at DESC, id DESC LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`;
  if (rows.length === 0) {
    const left = await tx.$queryRaw<unknown[]>`SELECT 1 FROM post WHERE ${wanted} LIMIT 1`;
    return { authors: [], more: left.length > 0 };
  }
  const host = hostAfter(change);
  const authors = new Map(
    rows.map(({ author_username }) => [author_username, `@${author_username}@${host}`]),
  );
  const names = [...authors].map(([username, account]) => ({
    username,
    account,
    key: account.slice(1).toLowerCase(),
    lexemes: lexemesOf(account),
  }));
  const ids = rows.map((row) => row.id);
  await tx.$executeRaw`
    UPDATE post p SET author_account = r.account, author_key = r.key, instance = ${host},
                      search = p.search || array_to_tsvector(r.lexemes), updated_at = now()
      FROM jsonb_to_recordset(${JSON.stringify(names)}::jsonb)
           AS r (username text, account text, key text, lexemes text[])
     WHERE p.id = ANY (${ids}::int[]) AND p.author_username = r.username`;
  await refreshEntries(tx, ids);
  return { authors: names.map(({ key }) => key), more: true };
}

function lexemesOf(account: string): string[] {
  return searchLexemes({
    plain_text: "",
    spoiler_text: null,
    author_display_name: "",
    author_account: account,
    hashtags: [],
    media: [],
  });
}
