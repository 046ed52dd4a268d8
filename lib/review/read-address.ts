import { authorKey } from "#lib/fediverse/account.ts";

/** `posts`: addresses under which a post may be stored. `author`: key of the author whom the address names. */
export interface ReadAddress {
  posts: string[];
  author: string | null;
}

/** A post's page and its URI on software that has both in this shape (Mastodon and compatible software). */
const PAGE = /^\/(?:web\/|deck\/)?@([^/@]+)\/(\d+)$/;
const URI = /^\/users\/([^/@]+)\/statuses\/(\d+)$/;
/** A path that begins with its author; `/@user@host` is how one server shows another's. */
const AUTHOR = /^\/(?:web\/|deck\/)?(?:@|users\/|u\/)([^/@]+)(?:@([^/@]+))?(?:\/|$)/;

/**
 * Reads a pasted text: the address of a post or a profile, as any server shows it, or an account. The address of a post on
 * another server than its author's does not tell its own address, so it names the author only.
 */
export function readAddress(pasted: string): ReadAddress {
  const text = pasted.trim().replace(/^acct:/i, "");
  if (!/^https?:\/\//i.test(text)) return { posts: [], author: authorKey(text) };
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return { posts: [], author: null };
  const path = url.pathname.replace(/\/+$/, "");
  const at = (host: string, ...parts: string[]) => `${url.protocol}//${host}${parts.join("")}`;
  const posts = new Set([text, at(url.host, url.pathname, url.search), at(url.host, path, url.search)]);
  const page = PAGE.exec(path);
  if (page) posts.add(at(url.host, "/@", page[1] ?? "", "/", page[2] ?? ""));
  if (page) posts.add(at(url.host, "/users/", page[1] ?? "", "/statuses/", page[2] ?? ""));
  const uri = URI.exec(path);
  if (uri) posts.add(at(url.host, "/@", uri[1] ?? "", "/", uri[2] ?? ""));
  const named = AUTHOR.exec(path);
  const author = named ? authorKey(`${named[1] ?? ""}@${named[2] ?? url.host}`) : null;
  return { posts: [...posts], author };
}
