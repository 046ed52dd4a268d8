import type { Tx } from "#lib/base/db.ts";
import type { NormalisedPost } from "#lib/fediverse/normalise-status.ts";
import { deletePosts } from "#lib/review/delete-post.ts";
import { parseWebUrl } from "#lib/fediverse/urls.ts";
import { pastOf } from "./ingest-sql.ts";

/**
 * An imported post whose uri was derived from its url takes the uri that its server names. Of two posts with that uri the
 * one that is further in the queue stays, so that it is boosted once.
 */
export async function adoptAddress(tx: Tx, derived: string, uri: string): Promise<void> {
  const rows = await tx.$queryRaw<{ id: number; uri_derived: boolean; rank: number }[]>`
    SELECT p.id, p.uri_derived, CASE WHEN q.state IN ('reserved', 'delivered') THEN 2
                                     WHEN p.approved IS NOT NULL THEN 1 ELSE 0 END AS rank
      FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id
     WHERE p.uri IN (${derived}, ${uri}) ORDER BY p.id FOR UPDATE OF p`;
  const [kept, ...others] = rows.toSorted((a, b) => b.rank - a.rank || a.id - b.id);
  if (kept === undefined || !rows.some((row) => row.uri_derived)) return;
  const isBuried =
    rows.length === 1 && derived !== uri && (await pastOf(tx, [uri])).get(uri)?.dropped === false;
  const gone = isBuried ? [kept] : others;
  if (gone.length > 0)
    await deletePosts(
      tx,
      gone.map(({ id }) => id),
      "deleted",
    );
  await tx.$executeRaw`UPDATE post SET uri = ${uri}, uri_derived = false WHERE id = ${kept.id}`;
}

/**
 * Adopts the addresses that a page shows. Another server than the post's own is believed only about rejected and delivered
 * posts, so that it cannot make a post unavailable.
 */
export async function adoptShownAddresses(tx: Tx, posts: readonly NormalisedPost[]): Promise<void> {
  const shown = posts.flatMap(({ url, uri, from_home }) => {
    const derived = addressOf(url)?.uri ?? uri;
    return derived === uri ? [] : [{ derived, uri, from_home }];
  });
  if (shown.length === 0) return;
  const rows = await tx.$queryRaw<{ derived: string; uri: string }[]>`
    SELECT s.derived, s.uri
      FROM jsonb_to_recordset(${JSON.stringify(shown)}::jsonb) AS s (derived text, uri text, from_home boolean)
      JOIN post p ON p.uri = s.derived AND p.uri_derived
      LEFT JOIN queue_entry q ON q.post_id = p.id
     WHERE uri_host(s.derived) = uri_host(s.uri) AND (s.from_home OR p.approved IS FALSE OR q.state = 'delivered')
     ORDER BY p.id`;
  for (const { derived, uri } of rows) await adoptAddress(tx, derived, uri);
}

export interface Address {
  uri: string;
  /**
   * `own`: the url is the uri. `derived`: the uri follows from the url by the rule of this software. `unknown`: only the
   * author's server can name the uri; until then the url takes its place.
   */
  kind: "own" | "derived" | "unknown";
}

/** Paths of software whose url is the uri: ActivityPub objects, Misskey, Pixelfed. */
const OWN = [
  /^(?:\/ap)?\/users\/[^/]+\/statuses\/[^/]+$/,
  /^\/objects\/[^/]+$/,
  /^\/notes\/[^/]+$/,
  /^\/p\/[^/]+\/[^/]+$/,
];
/** Path of a post of a local account, whose name has no host, on Mastodon and GoToSocial. */
const PAGE = /^\/@([^/@]+)\/(?:(\d+)|statuses\/([0-9A-Z]{26}))$/;

/** The uri of an imported post with only a url. Null for a text that is no web address. */
export function addressOf(url: string | null): Address | null {
  const parsed = url === null ? null : parseWebUrl(url);
  if (url === null || parsed === null) return null;
  const { origin, pathname } = parsed;
  if (OWN.some((path) => path.test(pathname))) return { uri: url, kind: "own" };
  const [, name, mastodon, goToSocial] = PAGE.exec(pathname) ?? [];
  const id = mastodon ?? goToSocial;
  if (name === undefined || id === undefined) return { uri: url, kind: "unknown" };
  return { uri: `${origin}/users/${name}/statuses/${id}`, kind: "derived" };
}
