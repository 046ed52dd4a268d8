import { addressOf } from "./address.ts";
import { isoOf, stateOf } from "./convert-post.ts";
import type { FenLiuFile } from "./fenliu-file.ts";

export interface Plan {
  /** Rows of a post that has another row: id to the id of the row that is kept. */
  merged: Map<number, number>;
  /** Times of approval of posts in the queue, in FenLiu's order: `reviewed_at`, those without last, then id. */
  approvedAt: Map<number, number>;
}

interface Row {
  id: number;
  delivered: boolean;
  reviewed: string;
}

/** Reads all rows once; two rows are one post when they have the same uri. */
export function planImport(file: FenLiuFile, startedAt: Date): Plan {
  const rows = new Map<string, Row>();
  const merged = new Map<number, number>();
  const queued: { id: number; reviewed: string }[] = [];
  for (const head of file.heads()) {
    const state = stateOf(head);
    if (state !== "unreviewed" && state !== "rejected")
      queued.push({ id: head.id, reviewed: head.reviewed_at ?? "" });
    const uri = addressOf(head.url)?.uri;
    if (uri === undefined) continue;
    const row = { id: head.id, delivered: state === "delivered", reviewed: head.reviewed_at ?? "" };
    const other = rows.get(uri);
    if (other === undefined) rows.set(uri, row);
    else {
      const [kept, removed] = isBetter(row, other) ? [row, other] : [other, row];
      rows.set(uri, kept);
      merged.set(removed.id, kept.id);
    }
  }
  for (const id of merged.keys()) merged.set(id, lastOf(merged, id));
  return { merged, approvedAt: placesOf(queued, startedAt) };
}

/** A delivered post must not be boosted again; otherwise the latest decision counts. */
function isBetter(row: Row, other: Row): boolean {
  return row.delivered === other.delivered ? row.reviewed > other.reviewed : row.delivered;
}

function lastOf(merged: ReadonlyMap<number, number>, id: number): number {
  let last = id;
  for (let next = merged.get(last); next !== undefined; next = merged.get(last)) last = next;
  return last;
}

/** Rounded to milliseconds, and one more wherever the order would change. */
function placesOf(queued: { id: number; reviewed: string }[], startedAt: Date): Map<number, number> {
  const without = "~";
  queued.sort((a, b) => compare(a.reviewed || without, b.reviewed || without) || a.id - b.id);
  const places = new Map<number, number>();
  let last = { at: 0, id: 0 };
  for (const { id, reviewed } of queued) {
    const written = isoOf(reviewed);
    const at = Math.max(written === null ? startedAt.getTime() : Date.parse(written), last.at);
    last = { id, at: at === last.at && id < last.id ? at + 1 : at };
    places.set(id, last.at);
  }
  return places;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

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
