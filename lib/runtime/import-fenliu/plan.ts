import { addressOf } from "#lib/collect/derive-address.ts";
import { isoOf, stateOf } from "./convert-post.ts";
import type { FenLiuFile, FileRow } from "./fenliu-file.ts";

export interface Plan {
  /** Rows of a post that has another row: id to the id of the row that is kept. */
  merged: Map<number, number>;
  /** Times of approval of posts in the queue, in FenLiu's order: `reviewed_at`, those without last, then id. */
  approvedAt: Map<number, number>;
}

/**
 * Two rows are one post when they have the same uri. SQLite sorts the rows, so that memory holds the ids of merged rows
 * and the places only.
 */
export function planImport(file: FenLiuFile, startedAt: Date): Plan {
  return { merged: mergedRows(file), approvedAt: placesOf(file, startedAt) };
}

function mergedRows(file: FenLiuFile): Map<number, number> {
  const merged = new Map<number, number>();
  let kept: FileRow | null = null;
  for (const row of file.byAddress((url) => addressOf(url)?.uri ?? null)) {
    if (kept === null || row.uri !== kept.uri) kept = row;
    // The first row of an address is the one that stays.
    else merged.set(row.id, kept.id);
  }
  return merged;
}

/** Rounded to milliseconds, and one more wherever the order would change. */
function placesOf(file: FenLiuFile, startedAt: Date): Map<number, number> {
  const places = new Map<number, number>();
  let last = { at: 0, id: 0 };
  for (const head of file.byReview()) {
    const state = stateOf(head);
    if (state === "unreviewed" || state === "rejected") continue;
    const { id, reviewed_at } = head;
    const written = isoOf(reviewed_at);
    const at = Math.max(written === null ? startedAt.getTime() : Date.parse(written), last.at);
    last = { id, at: at === last.at && id < last.id ? at + 1 : at };
    places.set(id, last.at);
  }
  return places;
}

export type Counts = Record<
  "fetched" | "approved" | "rejected" | "auto_rejected" | "delivered" | "errors" | "trimmed",
  number
>;

export const noCounts = (): Counts => ({
  fetched: 0, approved: 0, rejected: 0, auto_rejected: 0, delivered: 0, errors: 0, trimmed: 0,
}); // prettier-ignore

/** Adds what a row of this state counts in the statistics. */
export function countPost(counts: Counts, state: ReturnType<typeof stateOf>, isAutomatic: boolean): void {
  counts.fetched++;
  if (state === "rejected") counts[isAutomatic ? "auto_rejected" : "rejected"]++;
  else if (state !== "unreviewed") counts.approved++;
  if (state === "delivered") counts.delivered++;
  if (state === "error") counts.errors++;
}
