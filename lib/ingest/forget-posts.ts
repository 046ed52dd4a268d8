import { servicePrincipal } from "#lib/auth/principal.ts";
import { DROP_RULES, type DropRule } from "#lib/consent/judge-consent.ts";
import type { Tx } from "#lib/db.ts";
import { forgetPictures } from "#lib/media/forget-pictures.ts";
import { forgetAuthorFigures } from "#lib/stats/stored-figures.ts";
import { lockAuthors, noteRefusals } from "./sql.ts";
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

/** Posts accepted under `opt-in` are deleted for refusal tags only. Statistics stay, without the name. */
export async function forgetAuthors(tx: Tx, authors: ReadonlyMap<string, DropRule>): Promise<void> {
  if (authors.size === 0) return;
  const rows = await lockAuthors(tx, [...authors.keys()]);
  await forgetPosts(
    tx,
    rows.flatMap(({ id, author_key, policy }) => {
      const rule = authors.get(author_key);
      return rule === undefined || (rule !== "refusal_tag" && policy === "opt-in") ? [] : [{ id, rule }];
    }),
  );
  // Last, because deleting writes statistics too.
  await forgetAuthorFigures(tx, [...authors.keys()]);
}
