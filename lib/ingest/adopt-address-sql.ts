import type { Tx } from "#lib/db.ts";
import type { NormalisedPost } from "#lib/fediverse/normalised-post.ts";

/** Null when the uri of that post was not derived, or there is none. */
export async function lockDerived(tx: Tx, uri: string): Promise<number | null> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM post WHERE uri = ${uri} AND EXISTS (SELECT FROM derived_address WHERE post_id = id)
       FOR NO KEY UPDATE`;
  return rows[0]?.id ?? null;
}

/** Among the posts of a page, those stored under another uri that was derived from their url. */
export async function derivedAmong(
  tx: Tx,
  posts: readonly NormalisedPost[],
): Promise<{ derived: string; uri: string }[]> {
  const shown = posts
    .filter(({ url }) => url !== null)
    .map(({ url, uri, from_home }) => ({ url, uri, from_home }));
  if (shown.length === 0) return [];
  return tx.$queryRaw<{ derived: string; uri: string }[]>`
    SELECT p.uri AS derived, s.uri
      FROM jsonb_to_recordset(${JSON.stringify(shown)}::jsonb) AS s (url text, uri text, from_home boolean)
      JOIN derived_address a ON a.url = s.url
      JOIN post p ON p.id = a.post_id
      LEFT JOIN queue_entry q ON q.post_id = p.id
     WHERE p.uri <> s.uri AND uri_host(p.uri) = uri_host(s.uri)
       AND (s.from_home OR p.approved IS FALSE OR q.state = 'delivered')
     ORDER BY p.id`;
}

export async function settleAddress(tx: Tx, id: number, uri: string): Promise<void> {
  await tx.$executeRaw`UPDATE post SET uri = ${uri} WHERE id = ${id} AND uri <> ${uri}`;
  await tx.derived_address.deleteMany({ where: { post_id: id } });
}

interface Candidate {
  id: number;
  rank: number;
}

/** Reviews lock posts by id, then queue entries. */
export async function lockForMerge(tx: Tx, ids: number[]): Promise<Candidate[]> {
  await tx.$executeRaw`SELECT FROM post WHERE id = ANY (${ids}::int[]) ORDER BY id FOR UPDATE`;
  await tx.$executeRaw`SELECT FROM queue_entry WHERE post_id = ANY (${ids}::int[]) ORDER BY post_id FOR UPDATE`;
  return tx.$queryRaw<Candidate[]>`
    SELECT p.id, CASE WHEN q.state = 'delivered' THEN 3 WHEN q.state = 'reserved' THEN 2
                      WHEN p.approved IS NOT NULL THEN 1 ELSE 0 END AS rank
      FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id WHERE p.id = ANY (${ids}::int[])`;
}

/** `removed` becomes another id of `kept`, which takes its place among the derived addresses. */
export async function mergePosts(tx: Tx, removed: number, kept: number): Promise<void> {
  await tx.$executeRaw`UPDATE post_alias SET post_id = ${kept} WHERE post_id = ${removed}`;
  await tx.$executeRaw`INSERT INTO post_alias (id, post_id) VALUES (${removed}, ${kept})`;
  await tx.$executeRaw`
    INSERT INTO sighting (post_id, stream_id, seen_at, remote_id)
    SELECT ${kept}, stream_id, seen_at, remote_id FROM sighting WHERE post_id = ${removed} ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`SELECT note_deletions(ARRAY[${removed}::int], 'merged')`;
  await tx.$executeRaw`DELETE FROM post WHERE id = ${removed}`;
}
