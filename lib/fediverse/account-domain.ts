import { db } from "#lib/base/db.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import type { NormalisedAuthor, NormalisedPost, NormaliseResult } from "./normalise-status.ts";
import { parseWebUrl } from "./urls.ts";
import { askWebFinger, sameAccount } from "./webfinger.ts";
import { RemoteError } from "./remote-error.ts";

export interface DomainOptions {
  request: HostRequest;
  signal?: AbortSignal | undefined;
}

/** Servers that one fetch asks: limits the requests that a timeline of invented authors causes. */
const MAX_SERVERS = 10;
const FRESH_HOURS = 24;

export type AuthorNamer = (entries: readonly NormaliseResult[]) => Promise<NormaliseResult[]>;

/**
 * A server at `social.example.org` may have accounts at `@user@example.org`. Its own authors, shown without a host, get
 * the verified domain. Posts by an author of another domain (`unproven`) are accepted when it is that of the post's
 * server; those whose server did not answer are dropped as `author_unproven`, and a later fetch brings them again.
 */
export function authorNamer(options: DomainOptions): AuthorNamer {
  const domains = new Map<string, string | null>();
  return async (entries) => {
    for (const entry of entries) {
      const named = nameIn(entry);
      if (named === null || domains.has(named.host)) continue;
      const mayAsk = domains.size < MAX_SERVERS;
      if (mayAsk) domains.set(named.host, await accountDomain(named.host, named.username, options));
    }
    return entries.map((entry) => named(entry, (host) => domains.get(host) ?? null));
  };
}

/** The server of a post whose author it names, and that author. Null for a copy of a known form. */
function nameIn(entry: NormaliseResult): { host: string; username: string } | null {
  const post = entry.ok ? entry.post : entry.unproven;
  const isOpen = !entry.ok || entry.post.from_home;
  const author = post?.author ?? (entry.ok ? undefined : entry.author);
  const host = hostOf(post?.uri ?? (entry.ok ? null : entry.uri));
  return author === undefined || host === null || !isOpen ? null : { host, username: author.username };
}

function named(entry: NormaliseResult, domainOf: (host: string) => string | null): NormaliseResult {
  if (entry.ok) {
    const domain = entry.post.from_home ? domainOf(hostOf(entry.post.uri) ?? "") : null;
    return domain === null ? entry : { ok: true, post: withDomain(entry.post, domain) };
  }
  const { unproven: post, author } = entry;
  const host = hostOf(entry.uri) ?? "";
  const domain = domainOf(host);
  if (post !== undefined) {
    if (domain === null) return { ok: false, reason: "author_unproven", uri: entry.uri };
    const isOwn = post.instance === domain || post.instance === host;
    return isOwn
      ? { ok: true, post: withDomain(post, domain) }
      : { ok: false, reason: "hosts_disagree", uri: entry.uri };
  }
  return author === undefined || domain === null
    ? entry
    : { ...entry, author: ofDomain(author, host, domain) };
}

function withDomain(post: NormalisedPost, domain: string): NormalisedPost {
  const host = hostOf(post.uri) ?? "";
  if (domain === host || post.instance !== host) return post;
  const quoted = post.quote?.account ?? "";
  const account = quoted.endsWith(`@${host}`) ? `${quoted.slice(0, -host.length)}${domain}` : quoted;
  const quote = post.quote === null || quoted === "" ? post.quote : { ...post.quote, account };
  return { ...post, instance: domain, author: ofDomain(post.author, host, domain), quote };
}

function ofDomain(author: NormalisedAuthor, host: string, domain: string): NormalisedAuthor {
  const isOwn = author.account === `@${author.username}@${host}`;
  return isOwn ? { ...author, account: `@${author.username}@${domain}` } : author;
}

const hostOf = (uri: string | null) => (uri === null ? null : (parseWebUrl(uri)?.host ?? null));

/**
 * The domain of a server's accounts: WebFinger of an account there names it, and WebFinger at that domain names an actor
 * on the server. Otherwise the host. Asked once a day for all processes; the known value is used while a server fails.
 *
 * @param username of an account there; an unknown one changes nothing
 * @returns null when the server never answered
 */
async function accountDomain(host: string, username: string, options: DomainOptions): Promise<string | null> {
  const [known] = await db.$queryRaw<{ domain: string; fresh: boolean }[]>`
    SELECT domain, domain_at > now() - ${FRESH_HOURS} * interval '1 hour' AS fresh
      FROM host_state WHERE host = ${host} AND domain IS NOT NULL`;
  if (known?.fresh === true) return known.domain;
  try {
    const found = await askForDomain({ username, host }, options);
    if (found === null) return known?.domain ?? host;
    await db.$executeRaw`
      INSERT INTO host_state (host, domain, domain_at) VALUES (${host}, ${found}, now())
      ON CONFLICT (host) DO UPDATE SET domain = excluded.domain, domain_at = excluded.domain_at`;
    return found;
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return known?.domain ?? null;
  }
}

/** Null when the server does not know the account. */
async function askForDomain(
  own: { username: string; host: string },
  options: DomainOptions,
): Promise<string | null> {
  const stated = await askWebFinger(own, options);
  if (stated.kind === "unknown") return null;
  const { account } = stated;
  if (account.host === own.host) return own.host;
  const answer = await askWebFinger(account, options);
  const isVerified =
    answer.kind === "named" && sameAccount(answer.account, account) && answer.actor_host === own.host;
  return isVerified ? account.host : own.host;
}
