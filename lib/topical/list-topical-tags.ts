import { db } from "#lib/db.ts";
import type { TopicalTag } from "./schema.ts";
import { serializeTopicalTag } from "./serialize.ts";

/** All topical rules, in order of id. */
export async function listTopicalTags(): Promise<TopicalTag[]> {
  const rows = await db.topical_tag.findMany({ orderBy: { id: "asc" } });
  return rows.map(serializeTopicalTag);
}
