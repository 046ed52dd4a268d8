import { servicePrincipal } from "#lib/auth/principal.ts";
import { DROP_RULES, type DropRule } from "#lib/consent/judge-consent.ts";
import type { Tx } from "#lib/db.ts";
import { forgetPictures } from "#lib/media/forget-pictures.ts";
import { forgetAuthorFigures } from "#lib/stats/stored-figures.ts";
import { forgetExamples, lockAuthors, noteRefusals } from "./sql.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { deletePosts } from "#lib/posts/delete-post.ts";

/**
 * Deletes posts of authors who refused later, in any state: a refusal outranks a reservation. Kept: uri and
 * rule, an anonymous line of history, a tombstone.
 */
export async function forgetPosts(tx: Tx, posts: readonly { id: number; rule: DropRule }[]): Promise<void> {
  if (posts.length === 0) return;
  const ids = posts.map((post) => post.id);
  const rows = await tx.post.findMany({ where: { id: { in: ids } }, select: { id: true, uri: true } });
  const rules = new Map(posts.map((post) => [post.id, post.rule]));
  const ruleOf = (id: number) => rules.get(id) ?? "refusal_tag";
  await noteRefusals(
    tx,
    null,
    rows.map(({ id, uri }) => ({ uri, rule: ruleOf(id) })),
  );
  await recordEvents(
    tx,
    servicePrincipal,
    rows.map(({ id }) => ({
      post_id: id,
      action: "opt_out",
      to_state: "deleted",
      note: DROP_RULES[ruleOf(id)],
    })),
  );
  await deletePosts(tx, ids, "opt_out");
  // Safe before the commit: pictures of a post that stays are fetched again.
  await forgetPictures(ids);
}

/** Refusal of an author, shown by a server. It speaks for its own posts only. */
export interface Refusal {
  author_key: string;
  uri_host: string;
  rule: DropRule;
}

/**
 * Deletes the posts of an author on the host that showed the refusal. Posts accepted under `opt-in` are deleted for
 * refusal tags only. Statistics stay, without the name. The learner forgets an author of this host.
 */
export async function forgetAuthors(tx: Tx, refusals: readonly Refusal[]): Promise<void> {
  if (refusals.length === 0) return;
  const keys = [...new Set(refusals.map(({ author_key }) => author_key))];
  const rows = await lockAuthors(tx, keys);
  await forgetPosts(
    tx,
    rows.flatMap(({ id, author_key, uri_host, policy }) => {
      const refusal = refusals.find((each) => each.author_key === author_key && each.uri_host === uri_host);
      if (refusal === undefined || (refusal.rule !== "refusal_tag" && policy === "opt-in")) return [];
      return [{ id, rule: refusal.rule }];
    }),
  );
  const own = refusals.filter(({ author_key, uri_host }) => author_key.endsWith(`@${uri_host}`));
  await forgetExamples(
    tx,
    own.map(({ author_key }) => author_key),
  );
  // Last, because deleting writes statistics too.
  await forgetAuthorFigures(tx, keys);
}
