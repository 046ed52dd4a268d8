import { z } from "zod";
import { db } from "#lib/base/db.ts";

/** Hash of all settings that verdicts depend on; stored results and the learner's model are not in it. */
export async function settingsKey(): Promise<string> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT md5(coalesce(string_agg(concat(name, ' ', enabled, ' ', votes, ' ', threshold), ',' ORDER BY name), '')) AS key
      FROM check_setting`;
  return z.tuple([z.object({ key: z.string() })]).parse(rows)[0].key;
}
