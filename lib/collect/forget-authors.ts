import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { type Actor, servicePrincipal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { DROP_RULES, type DropRule } from "#lib/fediverse/judge-consent.ts";
import { forgetPictures } from "#lib/media/cache.ts";
import { recordEvents } from "#lib/queue/record-event.ts";
import { holdPosts } from "#lib/queue/queue-entries.ts";
import { rejectPosts } from "#lib/review/decide.ts";
import { deletePosts, erasePosts } from "#lib/review/delete-post.ts";
import type { AutoRejectReason } from "#lib/review/post-row.ts";

/**
 * Deletes posts of authors who refused later, in any state, because a refusal outranks a reservation. An anonymous line of
 * history with the rule and a tombstone stay.
 */
export async function forgetPosts(
  tx: Tx,
  posts: readonly { id: number; rule: DropRule }[],
  actor: Actor = servicePrincipal,
): Promise<void> {
  if (posts.length === 0) return;
  const ids = posts.map((post) => post.id);
  const rows = await tx.post.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const rules = new Map(posts.map((post) => [post.id, post.rule]));
  await recordEvents(
    tx,
    actor,
    rows.map(({ id }) => ({
      post_id: id,
      action: "opt_out",
      to_state: "deleted",
      note: DROP_RULES[rules.get(id) ?? "refusal_tag"],
    })),
  );
  await deletePosts(tx, ids, "opt_out");
  // Safe before the commit: if the posts stay after all, their pictures are fetched again.
  await forgetPictures(ids);
}

/** Ids of the stored posts by an author, and of posts that quote the author. For a preview. */
export async function postsOfAuthor(tx: Tx, authorKey: string): Promise<number[]> {
  return (await lockAuthors(tx, [authorKey])).map(({ id }) => id);
}

/** The refusal of an author. */
export interface Refusal {
  author_key: string;
  /** The server that showed the refusal, which speaks only for its own posts. Null if a person confirmed it: for all posts. */
  uri_host: string | null;
  rule: DropRule;
}

/**
 * Forgets authors; nothing else does. Deletes their posts on the host that showed the refusal. If that host is the author's
 * own, also deletes what the learner has stored under their names. For an author who opted in, `noindex` reaches neither
 * posts accepted under `opt-in` nor names. Writes nothing about unknown authors.
 *
 * @returns deleted posts, and authors with an open report, for `confirmOptOut` after the commit
 */
export async function forgetAuthors(
  tx: Tx,
  refusals: readonly Refusal[],
  actor: Actor = servicePrincipal,
): Promise<{ deleted: number[]; reported: string[] }> {
  if (refusals.length === 0) return { deleted: [], reported: [] };
  const rows = await lockAuthors(tx, [...new Set(refusals.map(({ author_key }) => author_key))]);
  const optedIn = new Set(rows.flatMap((row) => (row.policy === "opt-in" ? [row.author_key] : [])));
  const byAuthor = Map.groupBy(refusals, ({ author_key }) => author_key);
  const refused = rows.flatMap(({ id, author_key, uri_host, policy }) => {
    const refusal = byAuthor
      .get(author_key)
      ?.find(
        (each) =>
          (each.uri_host === null || each.uri_host === uri_host) &&
          (each.rule !== "noindex" || policy !== "opt-in"),
      );
    return refusal === undefined ? [] : [{ id, rule: refusal.rule }];
  });
  await forgetPosts(tx, refused, actor);
  const names = refusals.filter(({ author_key, rule }) => rule !== "noindex" || !optedIn.has(author_key));
  const reported = await reportedAuthors(tx, await forgetNames(tx, names));
  return { deleted: refused.map(({ id }) => id), reported };
}

interface AuthorPost {
  id: number;
  uri_host: string;
  author_key: string;
  policy: string | null;
}

/** The author of the quoted post, as `user@host`. */
const quoted = Prisma.sql`lower(ltrim(quote ->> 'account', '@'))`;

/** Posts of these authors, and posts that quote them: with the host of the quoted one, and without a policy. */
function lockAuthors(tx: Tx, authorKeys: string[]): Promise<AuthorPost[]> {
  return tx.$queryRaw`
    SELECT id, CASE WHEN own THEN uri_host(uri) ELSE uri_host(quote ->> 'uri') END AS uri_host,
           CASE WHEN own THEN author_key ELSE ${quoted} END AS author_key,
           CASE WHEN own THEN consent ->> 'policy' END AS policy
      FROM post, LATERAL (SELECT author_key = ANY (${authorKeys}::text[]) AS own) is_own
     WHERE author_key = ANY (${authorKeys}::text[])
        OR related <> '{}' AND related && ${authorKeys}::text[] AND ${quoted} = ANY (${authorKeys}::text[])
     ORDER BY id FOR UPDATE OF post`;
}

/**
 * Removes what is stored under the names of authors for whom these hosts speak. A host speaks for authors with its name or its
 * verified domain in their handles; null speaks for every author.
 *
 * @returns these authors
 */
async function forgetNames(
  tx: Tx,
  names: readonly { author_key: string; uri_host: string | null }[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await tx.$queryRaw<{ author_key: string }[]>`
    SELECT DISTINCT author_key FROM jsonb_to_recordset(${JSON.stringify(names)}::jsonb) AS n (author_key text, uri_host text)
     WHERE uri_host IS NULL OR split_part(author_key, '@', 2) = uri_host
        OR EXISTS (SELECT FROM host_state WHERE host = uri_host AND domain = split_part(author_key, '@', 2))
     ORDER BY 1`;
  const authors = rows.map(({ author_key }) => author_key);
  if (authors.length > 0) await tx.$executeRaw`SELECT unlearn('{}', false, ${authors}::text[])`;
  return authors;
}

/** Authors with an open report. */
async function reportedAuthors(tx: Tx, authorKeys: string[]): Promise<string[]> {
  if (authorKeys.length === 0) return [];
  const rows = await tx.reported_opt_out.findMany({
    where: { author_key: { in: authorKeys }, resolved_at: null },
    select: { author_key: true },
  });
  return rows.map(({ author_key }) => author_key);
}

export type Withdrawal = Extract<AutoRejectReason, "gone" | "withdrawn">;

/** Rejects erased posts that came back. A consumer's error report may have stored text again, so it is erased again. */
export async function rejectReturnedErased(): Promise<void> {
  const rows = await db.$queryRaw<{ post_id: number }[]>`
    SELECT q.post_id FROM post p JOIN queue_entry q ON q.post_id = p.id
     WHERE p.erased_at IS NOT NULL AND q.state IN ('pending', 'error') ORDER BY 1 LIMIT 1000`;
  const ids = rows.map((row) => row.post_id);
  if (ids.length > 0) await inTransaction((tx) => withdrawPosts(tx, ids, "gone"));
}

/**
 * Rejects the posts and erases their content at once. A post that a consumer has is held when it returns; a delivered
 * one keeps its record until the cleanup.
 */
export async function withdrawPosts(tx: Tx, ids: number[], reason: Withdrawal): Promise<void> {
  if (ids.length === 0) return;
  const rejected = await rejectPosts(tx, servicePrincipal, ids, { reason });
  const rest = ids.filter((id) => !rejected.includes(id));
  if (rest.length > 0) await holdPosts(tx, rest, "unverifiable");
  await erasePosts(tx, ids);
}
