import { allowedPrivateOrigins, originFor } from "./allowed-origins.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { readObject, readObjects, readText } from "./lenient.ts";
import { readJson } from "./ask-server.ts";
import { isLasting } from "./remote-error.ts";

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

/** API family of a software; unknown software is treated like Mastodon. */
export function familyOf(name: string | null): SoftwareFamily {
  return name !== null && MISSKEY_FAMILY.has(name) ? "misskey" : "mastodon";
}

/**
 * Reads nodeinfo. A host without a usable nodeinfo of its own (404, HTML, another shape, another host) has no name and is
 * treated like Mastodon.
 *
 * @throws RemoteError without a connection, or on timeout, 429, 5xx, wait
 */
export async function detectSoftware(host: string, request: HostRequest): Promise<DetectedSoftware> {
  try {
    const ask = async (url: string) => {
      const response = await request(url, { maxBytes: 256 * 1024 });
      // After a redirect, the answer is about another server.
      return URL.parse(response.url)?.host === host
        ? readJson(response, { host, subject: "nodeinfo" })
        : null;
    };
    const href = anySchema(await ask(`${originFor(host)}/.well-known/nodeinfo`));
    const address = href === null ? null : atOrigin(href, host);
    if (address === null) return unknownSoftware;
    const software = readObject(readObject(await ask(address))?.["software"]);
    const name = readText(software?.["name"], 100).trim().toLowerCase() || null;
    return { name, family: familyOf(name) };
  } catch (error) {
    if (isLasting(error)) return unknownSoftware;
    throw error;
  }
}

const SCHEMA = /nodeinfo\.diaspora\.software\/ns\/schema\/\d\.\d$/;

/**
 * The address at the host's own origin, or null if it is another server's. Behind a proxy, a server may state an address
 * without encryption; an allow-listed one states its public address, which may not be reachable from here.
 */
function atOrigin(href: string, host: string): string | null {
  const origin = originFor(host);
  const url = URL.parse(href, origin);
  const isOwn = url?.host === host || allowedPrivateOrigins().includes(origin);
  return url === null || !isOwn ? null : `${origin}${url.pathname}${url.search}`;
}

const unknownSoftware: DetectedSoftware = { name: null, family: "mastodon" };

/** Address of the first known schema. All versions name the software. */
function anySchema(index: unknown): string | null {
  const links = readObjects(readObject(index)?.["links"], 20);
  const found = links.find(({ rel, href }) => SCHEMA.test(readText(rel, 200)) && readText(href, 2048) !== "");
  return found === undefined ? null : readText(found["href"], 2048);
}
