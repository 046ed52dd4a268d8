import { z } from "zod";
import { db } from "#lib/db.ts";

/** Hash of all settings that verdicts depend on; stored results and the learner's model are not in it. */
export async function settingsKey(): Promise<string> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT md5(concat_ws('|',
             (SELECT string_agg(concat(name, ' ', enabled, ' ', votes, ' ', threshold, ' ', shown), ','
                                ORDER BY name)
                FROM check_setting),
             (SELECT string_agg(concat_ws(' ', name, weight, enabled), ',' ORDER BY name) FROM classify_rule),
             (SELECT string_agg(concat_ws(' ', id, check_question_votes, check_question), ',' ORDER BY id)
                FROM stream WHERE check_question <> ''))) AS key`;
  return z.tuple([z.object({ key: z.string() })]).parse(rows)[0].key;
}
