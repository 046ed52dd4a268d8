import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import type { ClassifyWord } from "./schema.ts";

/** The operator's words, oldest first. */
export async function listWords(): Promise<ClassifyWord[]> {
  const rows = await db.classify_word.findMany({ orderBy: { id: "asc" } });
  return rows.map(({ id, word, stream_id, created_at }) => ({
    id,
    word,
    stream_id,
    created_at: toIso(created_at),
  }));
}
