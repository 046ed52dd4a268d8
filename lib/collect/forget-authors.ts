import type { Tx } from "#lib/base/db.ts";
import { type Actor, servicePrincipal } from "#lib/base/http/principal.ts";
import { DROP_RULES, type DropRule } from "#lib/fediverse/judge-consent.ts";
import { forgetPictures } from "#lib/media/cache.ts";
import { recordEvents } from "#lib/queue/record-event.ts";
import { deletePosts } from "#lib/review/delete-post.ts";
import { forgetNames, lockAuthors, reportedAuthors } from "./forget-sql.ts";

/**
 * Deletes posts of authors who refused later, in any state: a refusal outranks a reservation. Kept: an anonymous
 * line of history with the rule, a tombstone.
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
  // Safe before the commit: pictures of a post that stays are fetched again.
  await forgetPictures(ids);
}

/** Ids of the stored posts of an author, and of those that quote the author, for a preview. */
export async function postsOfAuthor(tx: Tx, authorKey: string): Promise<number[]> {
  return (await lockAuthors(tx, [authorKey])).map(({ id }) => id);
}

/** Refusal of an author. */
export interface Refusal {
  author_key: string;
  /** The server that showed it, which speaks for its own posts only. Null if a person confirmed it, for every server. */
  uri_host: string | null;
  rule: DropRule;
}

/**
 * The only function that forgets authors: their posts on the host that showed the refusal, and, when that host is the
 * author's own, what is stored under their names without a post: examples of the learner. Of an author who opted in, `noindex` reaches neither posts accepted under `opt-in` nor names.
 * Writes nothing about authors of whom nothing is stored.
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
