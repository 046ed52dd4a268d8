import { readdirSync } from "node:fs";
import path from "node:path";

/** A page that can be opened: the name of its file when it is photographed, and its address. */
export type PagePath = { name: string; path: string; signedOut?: boolean };

const APP = path.resolve(import.meta.dirname, "../../app");

/**
 * Every page there is, read from the folder of routes, so that a new one is looked at without anybody remembering it.
 * @param ids for pages of one thing; such a page is left out when its id is not given
 */
export function pagesOf(ids: { streamId?: number; postId?: number; account?: string }): PagePath[] {
  const values: Record<string, string | undefined> = {
    streams: ids.streamId?.toString(),
    posts: ids.postId?.toString(),
    authors: ids.account?.replace(/^@/, ""),
  };
  return findPages("(console)")
    .flatMap((parts) => fill(parts, values) ?? [])
    .map((parts): PagePath => ({
      name: parts.join("-").replace(/[^\w.-]+/g, "-") || "home",
      path: `/${parts.join("/")}`,
    }))
    .concat(findPages("(auth)").map(([name = ""]) => ({ name, path: `/${name}`, signedOut: true })))
    .sort((a, b) => a.path.localeCompare(b.path));
}

/** Paths of the pages below a folder of routes, in parts. */
function findPages(group: string): string[][] {
  return readdirSync(path.join(APP, group), { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep))
    .filter((parts) => parts.at(-1) === "page.tsx")
    .map((parts) => parts.slice(0, -1).filter((part) => !/^\(.*\)$/.test(part)));
}

/** Puts an id in place of `[id]` (an author's account: of `[account]`), by the name of what comes before; null without one. */
function fill(parts: readonly string[], values: Record<string, string | undefined>): string[][] | null {
  const filled = parts.map((part, at) => (part.startsWith("[") ? values[parts[at - 1] ?? ""] : part));
  return filled.some((part) => part === undefined) ? null : [filled as string[]];
}
