import { allowedPrivateOrigins, originFor } from "./allowed-origins.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { readObject, readObjects, readText } from "./lenient.ts";
import { readJson } from "./ask-server.ts";
import { RemoteError } from "./remote-error.ts";

type SoftwareFamily = "mastodon" | "misskey";

export interface DetectedSoftware {
  /** `software.name` of nodeinfo, lower case. */
  name: string | null;
  family: SoftwareFamily;
}

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
export async function detectSoftware(host: string, request: HostRequest): Promise<DetectedSoftware> {
  try {
    const ask = async (url: string) => {
      const response = await request(url, { maxBytes: 256 * 1024 });
      // After a redirect: another server's software.
      return URL.parse(response.url)?.host === host
        ? readJson(response, { host, subject: "nodeinfo" })
        : null;
    };
    const href = newestSchema(await ask(`${originFor(host)}/.well-known/nodeinfo`));
    const address = href === null ? null : atOrigin(href, host);
    if (address === null || URL.parse(address)?.host !== host) return unknownSoftware;
    const software = readObject(readObject(await ask(address))?.["software"]);
    const name = readText(software?.["name"], 100).trim().toLowerCase() || null;
    return { name, family: familyOf(name) };
  } catch (error) {
    if (error instanceof RemoteError && SILENT.has(error.kind)) return unknownSoftware;
    throw error;
  }
}

/** A server of the allow-list states its public address, which may not be reachable from here. */
function atOrigin(href: string, host: string): string {
  const origin = originFor(host);
  const url = allowedPrivateOrigins().includes(origin) ? URL.parse(href) : null;
  return url === null ? href : new URL(`${url.pathname}${url.search}`, origin).href;
}

const SILENT: ReadonlySet<string> = new Set([
  "not_found",
  "not_compatible",
  "needs_token",
  "unexpected",
  "refused",
  "too_large",
]);

const unknownSoftware: DetectedSoftware = { name: null, family: "mastodon" };

function newestSchema(index: unknown): string | null {
  const schema = /nodeinfo\.diaspora\.software\/ns\/schema\/(\d\.\d)$/;
  const links = readObjects(readObject(index)?.["links"], 20).map(({ rel, href }) => ({
    version: schema.exec(readText(rel, 200))?.[1] ?? "",
    href: readText(href, 2048),
  }));
  links.sort((a, b) => b.version.localeCompare(a.version));
  return links.find(({ version, href }) => version !== "" && href !== "")?.href ?? null;
}
