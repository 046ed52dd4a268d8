import { recordAudit } from "#lib/accounts/record-audit.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { log } from "#lib/base/log.ts";
import { seal, unseal } from "#lib/base/seal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import type { Server } from "./ask-server.ts";
import { detectSoftware, familyOf } from "./detect-software.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { requireInstance } from "./instance.ts";
import type { NormalisedPost, NormaliseResult } from "./normalise-status.ts";
import { RemoteError } from "./remote-error.ts";
import { parseWebUrl } from "./urls.ts";
import { askWebFinger, sameAccount, type AccountName } from "./webfinger.ts";

/* What is known of other servers: a row each, read once. Asked once a day for all processes. */

type HostRow = Partial<Record<"software" | "domain", string | null>> & {
  is_detected?: boolean;
  software_is_fresh?: boolean;
  domain_is_fresh?: boolean;
  token?: Uint8Array | null;
};

async function readHost(host: string): Promise<HostRow> {
  const rows = await db.$queryRaw<HostRow[]>`
    SELECT software, software_at IS NOT NULL AS is_detected, domain, token,
           coalesce(software_at > now() - interval '1 day', false) AS software_is_fresh,
           coalesce(domain_at > now() - interval '1 day', false) AS domain_is_fresh
      FROM host_state WHERE host = ${host}`;
  return rows[0] ?? {};
}

/** @throws RemoteError when a new host cannot be asked for its software */
export async function knownServer(host: string, request: HostRequest): Promise<Server> {
  const row = await readHost(host);
  const name = await softwareOf(host, row, request);
  const token = row.token ? decryptToken(host, row.token) : null;
  if (row.token && token === null)
    log.warn({ host }, "stored token is encrypted with another ENCRYPTION_KEY: set the token again");
  return { host, software: { name, family: familyOf(name) }, token, request };
}

/** Software of a host. The known one is used until another is read. */
async function softwareOf(host: string, row: HostRow, request: HostRequest): Promise<string | null> {
  const known = row.software ?? null;
  if (row.software_is_fresh) return known;
  try {
    const detected = await detectSoftware(host, request);
    const [kept] = await db.$queryRaw<[{ software: string | null }]>`
      INSERT INTO host_state AS h (host, software, software_at) VALUES (${host}, ${detected.name}, now())
      ON CONFLICT (host) DO UPDATE SET software = coalesce(excluded.software, h.software), software_at = now()
      RETURNING software`;
    return kept.software;
  } catch (error) {
    if (!row.is_detected || !(error instanceof RemoteError)) throw error;
    return known;
  }
}

/** Decrypts a token. Null if it was encrypted for another host or with another key, or is damaged. */
export function decryptToken(host: string, sealed: Uint8Array): string | null {
  return unseal(key(), host, sealed);
}

function key(): string {
  const secret = env().ENCRYPTION_KEY;
  if (secret === undefined) throw new Error("ENCRYPTION_KEY is not set");
  return secret;
}

/** Stores the token of a host; null removes it. */
export async function storeHostToken(host: string, token: string | null, tx: Tx = db): Promise<void> {
  const sealed = token === null ? null : seal(key(), host, token);
  await tx.host_state.upsert({
    where: { host },
    create: { host, token: sealed },
    update: { token: sealed, updated_at: new Date() },
    select: { host: true },
  });
}

/**
 * Sets the token of a host; null removes it. Streams that failed without it are fetched at once.
 *
 * @param host normalised like a stream's instance
 * @throws ApiError 422 when it is not a host or not allowed
 */
export async function setHostToken(actor: Actor, host: string, token: string | null): Promise<void> {
  const instance = requireInstance(host);
  await inTransaction(async (tx) => {
    await storeHostToken(instance, token, tx);
    await tx.stream.updateMany({
      where: {
        instance,
        active: true,
        enable_scheduling: true,
        last_error_kind: { in: ["needs_token", "token_refused"] },
      },
      data: { next_scheduled_fetch: new Date() },
    });
    await recordAudit(tx, actor, {
      action: token === null ? "host.token.remove" : "host.token.set",
      subject: instance,
    });
  });
}

const KEEP_DAYS = 30;
/** Most rows of hosts without token and stream. */
const KEEP_HOSTS = 10_000;
const BATCH = 5_000;

/**
 * Deletes rows of hosts not asked for 30 days, and the oldest above 10 000. Keeps hosts with a token, a stream, a wait
 * that has not ended or a request of the last five minutes.
 */
export async function pruneHosts(): Promise<void> {
  // `token` is compared again once a row is locked, so a token set meanwhile keeps it.
  await db.$executeRaw`
    DELETE FROM host_state h
     WHERE h.token IS NULL AND h.host IN (
       SELECT c.host FROM host_state c
        WHERE c.token IS NULL
          AND NOT EXISTS (SELECT FROM stream s WHERE s.instance = c.host)
          AND coalesce((c.state ->> 'wait_until')::float8, 0) / 1000 < extract(epoch FROM now())
          AND c.updated_at < now() - interval '5 minutes'
          AND (c.updated_at < now() - ${KEEP_DAYS} * interval '1 day'
               OR c.updated_at < (SELECT updated_at FROM host_state ORDER BY updated_at DESC
                                  OFFSET ${KEEP_HOSTS - 1}::int LIMIT 1))
        ORDER BY c.updated_at LIMIT ${BATCH}::int)`;
}

/** Most servers that one fetch asks. Limits the requests that a timeline of invented authors causes. */
const MAX_SERVERS = 10;

/**
 * A server at `social.example.org` may have accounts at `@user@example.org`. Its own authors, shown without a host, get
 * the verified domain. Posts by an author of another domain (`unproven`) are accepted when it is that of the post's
 * server; those whose server did not answer are dropped as `author_unproven`, and a later fetch brings them again.
 */
export function authorNamer(
  request: HostRequest,
): (entries: readonly NormaliseResult[]) => Promise<NormaliseResult[]> {
  const domains = new Map<string, string | null>();
  return async (entries) => {
    for (const entry of entries) {
      const name = nameIn(entry);
      if (name !== null && !domains.has(name.host) && domains.size < MAX_SERVERS)
        domains.set(name.host, await accountDomain(name, request));
    }
    return entries.map((entry) => named(entry, (host) => domains.get(host) ?? null));
  };
}

/** The server of a post whose author it names, and that author. Null for a copy of a known form. */
function nameIn(entry: NormaliseResult): AccountName | null {
  const { author } = entry.ok ? entry.post : (entry.unproven ?? entry);
  const host = hostOf(entry);
  if (author === undefined || host === null || (entry.ok && !entry.post.from_home)) return null;
  return { host, username: author.username };
}

function named(entry: NormaliseResult, domainOf: (host: string) => string | null): NormaliseResult {
  const host = hostOf(entry) ?? "";
  const domain = domainOf(host);
  if (entry.ok)
    return domain === null || !entry.post.from_home
      ? entry
      : { ok: true, post: withDomain(entry.post, host, domain) };
  const { uri, unproven: post, author } = entry;
  if (post === undefined)
    return author === undefined || domain === null
      ? entry
      : { ...entry, author: { ...author, account: ofDomain(author.account, host, domain) } };
  if (domain === null) return { ok: false, reason: "author_unproven", uri };
  return post.instance === domain || post.instance === host
    ? { ok: true, post: withDomain(post, host, domain) }
    : { ok: false, reason: "hosts_disagree", uri };
}

function withDomain(post: NormalisedPost, host: string, domain: string): NormalisedPost {
  if (domain === host || post.instance !== host) return post;
  const quote = post.quote && {
    ...post.quote,
    account: post.quote.account && ofDomain(post.quote.account, host, domain),
  };
  const author = { ...post.author, account: ofDomain(post.author.account, host, domain) };
  return { ...post, instance: domain, author, quote };
}

/** @param account `@user@host`; the account of another server stays unchanged */
function ofDomain(account: string, host: string, domain: string): string {
  return account.endsWith(`@${host}`) ? `${account.slice(0, -host.length)}${domain}` : account;
}

/** Host of the post's own server. */
function hostOf(entry: NormaliseResult): string | null {
  const uri = entry.ok ? entry.post.uri : entry.uri;
  return uri === null ? null : (parseWebUrl(uri)?.host ?? null);
}

/**
 * The domain of a server's accounts: WebFinger of an account there names it, and WebFinger at that domain names an actor
 * on the server. Otherwise the host. The known value is used while a server fails.
 *
 * @param own account there; an unknown one changes nothing
 * @returns null when the server never answered
 */
async function accountDomain(own: AccountName, request: HostRequest): Promise<string | null> {
  const { domain: known = null, domain_is_fresh } = await readHost(own.host);
  if (known !== null && domain_is_fresh) return known;
  try {
    const stated = await askWebFinger(own, request);
    if (stated === null) return known ?? own.host;
    const { account } = stated;
    const answer = account.host === own.host ? null : await askWebFinger(account, request);
    const isVerified =
      answer !== null && sameAccount(answer.account, account) && answer.actor_host === own.host;
    const domain = isVerified ? account.host : own.host;
    await db.$executeRaw`
      INSERT INTO host_state (host, domain, domain_at) VALUES (${own.host}, ${domain}, now())
      ON CONFLICT (host) DO UPDATE SET domain = excluded.domain, domain_at = excluded.domain_at`;
    return domain;
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return known;
  }
}
