import { db } from "#lib/db.ts";
import { allowedPrivateOrigins, checkHost, originFor } from "#lib/fediverse/allowed-origins.ts";
import { readDeclaredDomain, type DeclaredDomain } from "#lib/fediverse/declared-domain.ts";
import type { DetectedSoftware } from "#lib/fediverse/detect-software.ts";
import type { HostRequest } from "#lib/fediverse/guarded-fetch.ts";
import { SourceFailure } from "#lib/fediverse/source-failure.ts";
import { hostsBelongTogether } from "#lib/fediverse/urls.ts";
import { askWebFinger, type WebFingerAnswer } from "#lib/fediverse/webfinger.ts";
import { log } from "#lib/log.ts";
import { knownDomain, sampleAccount, storeDomain, takenHosts, type KnownDomain } from "./domain-sql.ts";

/** Names of an asked server. Both equal the host unless verified. */
export interface HostDomain {
  /** Domain of its accounts: `user@domain`. */
  domain: string;
  /** In the addresses of its posts. */
  home: string;
}

export interface HostDomainOptions {
  request: HostRequest;
  signal?: AbortSignal | undefined;
}

/** Their declared domain is that of their accounts; other software may declare its web host. */
const DECLARES_ACCOUNTS = new Set(["mastodon", "hometown", "gotosocial"]);
/** No answer from the declared domain, as opposed to a refusal. */
const UNREACHABLE: ReadonlySet<string> = new Set(["unreachable", "refused", "timeout"]);

/**
 * Asked once a day for all processes; the stored value is used while a server fails.
 *
 * @returns the verified domain, otherwise the host; never throws for a fault of a server
 */
export async function hostDomain(
  host: string,
  software: DetectedSoftware,
  options: HostDomainOptions,
): Promise<HostDomain> {
  const known = await knownDomain(host);
  const stored = namesOf(host, known);
  if (known?.fresh === true) return stored;
  try {
    const found = await detect(host, software, stored, options);
    await storeDomain(host, found, { corrects: hostsBelongTogether(found.domain, found.home) });
    if (found.domain !== stored.domain) log.info({ host, ...found }, "domain of a server verified");
    return found;
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    // Asked again in an hour.
    await storeDomain(host, stored, { retry: true });
    return stored;
  }
}

function namesOf(host: string, known: KnownDomain | null): HostDomain {
  return { domain: known?.domain ?? host, home: known?.home ?? host };
}

/** The server to ask for posts of a host: the private origin that speaks for it, otherwise the host. */
export async function hostToAsk(home: string): Promise<string> {
  const row = await db.host_state.findFirst({
    where: { home },
    orderBy: { host: "asc" },
    select: { host: true },
  });
  return row !== null && isAllowListed(row.host) ? row.host : home;
}

async function detect(
  host: string,
  software: DetectedSoftware,
  stored: HostDomain,
  options: HostDomainOptions,
): Promise<HostDomain> {
  const declared = await readDeclaredDomain(host, software.family, options);
  const usernames = candidates(host, declared, await sampleAccount(stored.domain));
  const claim = await completeClaim(host, software, declared, usernames, options);
  const unverified = { domain: host, home: host };
  if (claim.domain === host || !isUsable(claim.domain)) return unverified;
  const answer = await askDeclared(claim.domain, usernames, options, (found) => found.actor_host === host);
  if (answer.kind === "named") return { domain: claim.domain, home: host };
  if (answer.kind === "unreachable" && (!isAllowListed(host) || stored.domain === claim.domain))
    throw answer.failure;
  if (!isAllowListed(host) || !hostsBelongTogether(claim.domain, claim.web)) return refuse(host, claim);
  if (answer.kind === "unreachable") {
    // The operator chose this server, and no other server answers to the name.
    const taken = await takenHosts(host, [claim.domain, claim.web]);
    return taken.length === 0 ? { domain: claim.domain, home: claim.web } : refuse(host, claim);
  }
  // Its posts count as copies: only the public server speaks for them.
  const other = await askDeclared(
    claim.domain,
    usernames,
    options,
    (found) => found.actor_host === claim.web,
  );
  return other.kind === "named" ? { domain: claim.domain, home: host } : refuse(host, claim);
}

interface Claim {
  domain: string;
  web: string;
}

function refuse(host: string, claim: Claim): HostDomain {
  log.info({ host, declared: claim.domain }, "declared domain not verified: the host's own name is used");
  return { domain: host, home: host };
}

/** Instance actors are named after the domain or the host, so no author can choose these names. */
function candidates(host: string, declared: DeclaredDomain, sample: string | null): string[] {
  const names = [declared.username ?? sample, declared.domain, declared.web, host];
  return [...new Set(names.filter((name) => name !== null))].slice(0, 3);
}

/** Asks the server about one of its accounts, for facts that it does not declare. */
async function completeClaim(
  host: string,
  software: DetectedSoftware,
  declared: DeclaredDomain,
  usernames: readonly string[],
  options: HostDomainOptions,
): Promise<Claim> {
  let { domain, web } = declared;
  const isConclusive = software.name !== null && DECLARES_ACCOUNTS.has(software.name);
  const asksDomain = domain === null || (domain === host && !isConclusive);
  const asksWeb = web === null && isAllowListed(host) && domain !== null && domain !== host;
  for (const username of asksDomain || asksWeb ? usernames : []) {
    const account = { username, host: domain ?? host };
    const answer = await askWebFinger(account, { ...options, at: host });
    if (answer.kind === "unknown") continue;
    if (asksDomain) domain = answer.account.host;
    web ??= answer.actor_host;
    break;
  }
  domain ??= host;
  return { domain, web: isAllowListed(host) ? (web ?? domain) : host };
}

type Declared = { kind: "named" } | { kind: "denied" } | { kind: "unreachable"; failure: SourceFailure };

/** @throws SourceFailure when the domain's server is failing or must not be asked now */
async function askDeclared(
  domain: string,
  usernames: readonly string[],
  options: HostDomainOptions,
  accepts: (answer: Extract<WebFingerAnswer, { kind: "named" }>) => boolean,
): Promise<Declared> {
  for (const username of usernames) {
    try {
      const answer = await askWebFinger({ username, host: domain }, options);
      if (answer.kind === "named" && answer.account.host === domain && accepts(answer))
        return { kind: "named" };
    } catch (error) {
      if (!(error instanceof SourceFailure) || !UNREACHABLE.has(error.kind)) throw error;
      return { kind: "unreachable", failure: error };
    }
  }
  return { kind: "denied" };
}

function isAllowListed(host: string): boolean {
  return allowedPrivateOrigins().includes(originFor(host));
}

/** A local name is usable only for a server of the allow-list, which `detect` decides. */
function isUsable(domain: string): boolean {
  return checkHost(domain, [...allowedPrivateOrigins(), `https://${domain}`]).ok;
}
