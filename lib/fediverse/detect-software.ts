import { allowedPrivateOrigins, originFor } from "./allowed-origins.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { readObject, readObjects, readText } from "./lenient.ts";
import { parseUrl } from "./urls.ts";
import { readJson } from "./read-answer.ts";
import { RemoteError } from "./remote-error.ts";

export type SoftwareFamily = "mastodon" | "misskey";

export interface DetectedSoftware {
  /** `software.name` of nodeinfo, lower case. */
  name: string | null;
  family: SoftwareFamily;
}

export const SOFTWARE_CACHE_HOURS = 24;

const MISSKEY_FAMILY = new Set([
  "misskey",
  "sharkey",
  "firefish",
  "iceshrimp",
  "calckey",
  "foundkey",
  "cherrypick",
  "catodon",
  "magnetar",
]);

/** Unknown software is treated like Mastodon. */
export function familyOf(name: string | null): SoftwareFamily {
  return name !== null && MISSKEY_FAMILY.has(name) ? "misskey" : "mastodon";
}

/**
 * A host without a usable nodeinfo of its own (404, HTML, another shape, another host) is treated like Mastodon.
 *
 * @throws RemoteError without a connection, or on timeout, 429, 5xx, wait
 */
export async function detectSoftware(
  host: string,
  request: HostRequest,
  options: { signal?: AbortSignal; allowedOrigins?: readonly string[] } = {},
): Promise<DetectedSoftware> {
  const context = { host, subject: "nodeinfo", withToken: false };
  const fetchOptions = { ...options, maxBytes: 256 * 1024 };
  try {
    const ask = async (url: string) => {
      const response = await request(url, fetchOptions);
      // After a redirect: another server's software.
      return isHost(response.url, host) ? readJson(response, context) : null;
    };
    const index = await ask(`${originFor(host, options.allowedOrigins)}/.well-known/nodeinfo`);
    const href = newestSchema(index);
    const address = href === null ? null : atOrigin(href, host, options);
    if (address === null || !isHost(address, host)) return unknownSoftware();
    const info = readObject(await ask(address));
    const software = readObject(info?.["software"]);
    const name = readText(software?.["name"], 100).trim().toLowerCase() || null;
    return { name, family: familyOf(name) };
  } catch (error) {
    if (error instanceof RemoteError && SILENT.has(error.kind)) return unknownSoftware();
    throw error;
  }
}

function isHost(address: string, host: string): boolean {
  return parseUrl(address)?.host === host;
}

/** A server of the allow-list states its public address, which may not be reachable from here. */
function atOrigin(
  href: string,
  host: string,
  { allowedOrigins = allowedPrivateOrigins() }: { allowedOrigins?: readonly string[] },
): string {
  const origin = originFor(host, allowedOrigins);
  if (!allowedOrigins.includes(origin) || !URL.canParse(href)) return href;
  const { pathname, search } = new URL(href);
  return new URL(`${pathname}${search}`, origin).href;
}

const SILENT: ReadonlySet<string> = new Set([
  "not_found",
  "not_compatible",
  "needs_token",
  "unexpected",
  "refused",
  "too_large",
]);

function unknownSoftware(): DetectedSoftware {
  return { name: null, family: "mastodon" };
}

function newestSchema(index: unknown): string | null {
  const links = readObjects(readObject(index)?.["links"], 20).flatMap((link) => {
    const version = /nodeinfo\.diaspora\.software\/ns\/schema\/(\d\.\d)$/.exec(
      readText(link["rel"], 200),
    )?.[1];
    const href = readText(link["href"], 2048);
    return version === undefined || href === "" ? [] : [{ version, href }];
  });
  links.sort((a, b) => b.version.localeCompare(a.version));
  return links[0]?.href ?? null;
}
