import { checkHost } from "./allowed-origins.ts";
import type { SoftwareFamily } from "./detect-software.ts";
import { originFor } from "./guarded-fetch.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { readObject, readText } from "./read-value.ts";
import type { JsonObject } from "./read-value.ts";
import { readJson, SourceFailure, toSourceFailure } from "./source-failure.ts";
import { parseUrl, parseWebUrl } from "./urls.ts";

/** Statements of a server about itself; none is verified. */
export interface DeclaredDomain {
  /** Domain of its accounts. */
  domain: string | null;
  /** In its web addresses. */
  web: string | null;
  /** The name of one of its accounts. */
  username: string | null;
}

export interface DeclaredDomainOptions {
  request: HostRequest;
  signal?: AbortSignal | undefined;
  allowedOrigins?: readonly string[];
}

/** The endpoint does not exist or is not public. */
const WITHOUT: ReadonlySet<string> = new Set(["not_found", "needs_token", "unexpected", "not_compatible"]);

/**
 * Mastodon: `domain` of `/api/v2/instance` is LOCAL_DOMAIN. GoToSocial: `account_domain` is the accounts' domain and
 * `domain` the host of the server. Misskey: accounts have the host of its web addresses (`uri` of `/api/meta`).
 *
 * @throws SourceFailure when the server gave no answer
 */
export async function readDeclaredDomain(
  host: string,
  family: SoftwareFamily,
  options: DeclaredDomainOptions,
): Promise<DeclaredDomain> {
  if (family === "misskey") {
    const web = hostOf((await ask(host, "/api/meta", options, "{}"))?.["uri"]);
    return { domain: web, web, username: null };
  }
  const info =
    (await ask(host, "/api/v2/instance", options)) ?? (await ask(host, "/api/v1/instance", options));
  if (info === null) return { domain: null, web: null, username: null };
  const contact = readObject(readObject(info["contact"])?.["account"]) ?? readObject(info["contact_account"]);
  const profile = parseWebUrl(readText(contact?.["url"], 2048));
  const own = hostOf(info["domain"]) ?? hostOf(info["uri"]);
  const accounts = hostOf(info["account_domain"]);
  return {
    domain: accounts ?? own,
    web: profile?.host ?? (accounts === null ? null : own),
    username: readText(contact?.["username"], 255).trim() || null,
  };
}

/** Null when the server does not have it. */
async function ask(
  host: string,
  path: string,
  { request, signal, allowedOrigins }: DeclaredDomainOptions,
  body?: string,
): Promise<JsonObject | null> {
  try {
    const response = await request(`${originFor(host, allowedOrigins)}${path}`, {
      ...(signal ? { signal } : {}),
      ...(allowedOrigins ? { allowedOrigins } : {}),
      ...(body === undefined
        ? {}
        : { method: "POST", body, headers: { "content-type": "application/json" } }),
    });
    return readObject(readJson(response, { host, subject: path, withToken: false }));
  } catch (error) {
    const failure = toSourceFailure(error);
    if (failure instanceof SourceFailure && WITHOUT.has(failure.kind)) return null;
    throw failure;
  }
}

/** Host of a host name or an address, in the form of `URL.host`. */
function hostOf(value: unknown): string | null {
  const text = readText(value, 2048).trim();
  if (text === "") return null;
  const host = (/^https?:\/\//i.test(text) ? parseWebUrl(text) : parseUrl(`https://${text}`))?.host ?? null;
  return host !== null && isHost(host) ? host : null;
}

/** Private names, too: an operator's own server may have one. */
function isHost(host: string): boolean {
  return checkHost(host, [`https://${host}`]).ok;
}
