import { db } from "#lib/db.ts";
import type { Stream } from "./schema.ts";
import { serializeStream } from "./serialize.ts";
import { streamRows } from "./sql.ts";

/** A page of streams in order of id, and how many there are in all. */
export async function listStreams(filter: {
  active?: boolean | undefined;
  skip: number;
  limit: number;
}): Promise<{ items: Stream[]; total: number; skip: number; limit: number }> {
  const { active, skip, limit } = filter;
  const [rows, total] = await Promise.all([
    streamRows(active ?? null, skip, limit),
    db.stream.count({ where: active === undefined ? {} : { active } }),
  ]);
  return { items: rows.map(serializeStream), total, skip, limit };
}
