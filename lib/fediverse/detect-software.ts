import { originFor } from "./guarded-fetch.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { readList, readObject, readText } from "./read-value.ts";
import { readJson, SourceFailure, toSourceFailure } from "./source-failure.ts";

/** The adapter for a server. */
export type SoftwareFamily = "mastodon" | "misskey";

export interface DetectedSoftware {
  /** `software.name` of nodeinfo in lower case, e.g. `mastodon`, `gotosocial`; null when the server does not say. */
  name: string | null;
  version: string | null;
  family: SoftwareFamily;
}

/** Lifetime of a stored nodeinfo answer. */
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

/** The family of a software by its nodeinfo name; unknown software is asked like Mastodon. */
export function familyOf(name: string | null): SoftwareFamily {
  return name !== null && MISSKEY_FAMILY.has(name) ? "misskey" : "mastodon";
}

/**
 * The software behind a host, by `/.well-known/nodeinfo` and the document it links to. A host that answers without
 * telling (404, a web page, another shape) is taken for Mastodon-like: the timeline request will show.
 *
 * @throws SourceFailure when the host could not be asked at all (no connection, time-out, 429, 5xx, wait)
 */
export async function detectSoftware(
  host: string,
  request: HostRequest,
  options: { signal?: AbortSignal; allowedOrigins?: readonly string[] } = {},
): Promise<DetectedSoftware> {
  const context = { host, subject: "nodeinfo", withToken: false };
  const fetchOptions = { ...options, maxBytes: 256 * 1024 };
  try {
    const index = readJson(
      await request(`${originFor(host, options.allowedOrigins)}/.well-known/nodeinfo`, fetchOptions),
      context,
    );
    const href = newestSchema(index);
    if (href === null) return unknownSoftware();
    const info = readObject(readJson(await request(href, fetchOptions), context));
    const software = readObject(info?.["software"]);
    const name = readText(software?.["name"], 100).trim().toLowerCase() || null;
    return { name, version: readText(software?.["version"], 100).trim() || null, family: familyOf(name) };
  } catch (error) {
    const failure = toSourceFailure(error);
    if (failure instanceof SourceFailure && SILENT.has(failure.kind)) return unknownSoftware();
    throw failure;
  }
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
  return { name: null, version: null, family: "mastodon" };
}

/** The link of the newest nodeinfo schema on offer. */
function newestSchema(index: unknown): string | null {
  const links = readList(readObject(index)?.["links"], 20).flatMap((item) => {
    const link = readObject(item);
    const version = /nodeinfo\.diaspora\.software\/ns\/schema\/(\d\.\d)$/.exec(
      readText(link?.["rel"], 200),
    )?.[1];
    const href = readText(link?.["href"], 2048);
    return version === undefined || href === "" ? [] : [{ version, href }];
  });
  links.sort((a, b) => b.version.localeCompare(a.version));
  return links[0]?.href ?? null;
}
