import { servicePrincipal } from "#lib/auth/principal.ts";
import { DROP_RULES, type DropRule } from "#lib/consent/judge-consent.ts";
import type { Tx } from "#lib/db.ts";
import { forgetPictures } from "#lib/media/forget-pictures.ts";
import { forgetAuthorFigures } from "#lib/stats/stored-figures.ts";
import { lockAuthors, noteRefusals } from "./sql.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { deletePosts } from "#lib/posts/delete-post.ts";

/**
 * Deletes posts whose authors have said no since they were taken in, in any state: an author's wish comes before
 * a consumer's reservation. What stays is the uri and the rule, so that the author can be answered, a line of
 * history without a name, and a tombstone; cached pictures go.
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
  // Before the commit, which is the caller's: pictures of a post that stays after all are only fetched again.
  await forgetPictures(ids);
}

/**
 * The same for everything an author has here, when the profile itself says no. Posts taken in under `opt-in` rest
 * on a yes given to this service, which only a refusing tag outranks. Figures keep counting, without the name.
 */
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
  // Last: deleting writes figures too.
  await forgetAuthorFigures(tx, [...authors.keys()]);
}
