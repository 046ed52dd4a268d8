import { parseWebUrl } from "#lib/fediverse/urls.ts";

export interface Address {
  uri: string;
  /**
   * `own`: the url is the uri. `derived`: by the rule of this kind of server. `unknown`: only the author's server can name it;
   * the url stands for it until then.
   */
  kind: "own" | "derived" | "unknown";
}

/** Paths that are the same in url and uri: ActivityPub objects, Misskey, Pixelfed. */
const OWN = [
  /^(?:\/ap)?\/users\/[^/]+\/statuses\/[^/]+$/,
  /^\/objects\/[^/]+$/,
  /^\/notes\/[^/]+$/,
  /^\/p\/[^/]+\/[^/]+$/,
];
/** Mastodon and GoToSocial: the page of a local account, whose name has no host. */
const PAGE = /^\/@([^/@]+)\/(?:(\d+)|statuses\/([0-9A-Z]{26}))$/;

/** The uri of an imported post, of which only the url is known. Null for a text that is no web address. */
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
