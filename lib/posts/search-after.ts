import { MAX_ID } from "#lib/http/fields.ts";
import type { PostOrder } from "./schema.ts";

/** A place in an order of posts: right behind this post, which may be gone or stand elsewhere by now. */
export interface Place {
  order: PostOrder;
  /** What newest and oldest go by; the time of creation in the other orders. */
  moment: Date;
  id: number;
  /** What "AI unsure first" goes by, or the author; null where time alone orders. */
  key: string | null;
}

/** A place as `search_after` says it: `<milliseconds>~<id>`, and `~<key>` in the orders that have one. */
export function writePlace({ moment, id, key }: Omit<Place, "order">): string {
  return [moment.getTime(), id, ...(key === null ? [] : [key])].join("~");
}

/** The place that a `search_after` names in this order, or null when it names none. */
export function readPlace(text: string, order: PostOrder): Place | null {
  const [, time, digits, , key] = /^(-?\d{1,15})~(\d{1,10})(~(.{1,600}))?$/su.exec(text) ?? [];
  const moment = new Date(Number(time ?? NaN));
  const id = Number(digits);
  if (Number.isNaN(moment.getTime()) || id > MAX_ID) return null;
  if (Math.abs(moment.getUTCFullYear() - 5000) >= 5000) return null;
  if ((order === "newest" || order === "oldest") !== (key === undefined)) return null;
  const isScore = /^\d(\.\d{1,20})?(e-\d{1,2})?$/.test(key ?? "") && Number(key) <= 1;
  if (order === "ai_unsure" && !isScore) return null;
  return { order, moment, id, key: key ?? null };
}
