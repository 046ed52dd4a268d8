import { db } from "#lib/base/db.ts";
import { featureId } from "#lib/checks/learner/features.ts";
import { readFeatureKey } from "#lib/checks/learner/learn.ts";

/**
 * Columns of all tables that contain a text, as "table.column". Every column is compared in its text form, so JSON,
 * arrays and search vectors are included; `bytea` also in hexadecimal. Also columns with the learner's feature of the
 * text as a word.
 */
export async function columnsWith(text: string): Promise<string[]> {
  const columns = await db.$queryRaw<{ table: string; column: string }[]>`
    SELECT c.relname AS table, a.attname AS column
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
     ORDER BY 1, a.attnum`;
  const parts = columns.map(
    ({ table, column }, n) =>
      `SELECT ${n} AS n WHERE EXISTS (SELECT FROM "${table}" t
         WHERE strpos(lower(t."${column}"::text), lower($1)) > 0 OR strpos(t."${column}"::text, $2) > 0
             OR strpos(t."${column}"::text, $3) > 0)`,
  );
  const found = await db.$queryRawUnsafe<{ n: number }[]>(
    `${parts.join(" UNION ALL ")} ORDER BY n`,
    text,
    Buffer.from(text).toString("hex"),
    String(featureId(`word:${text}`, await readFeatureKey())),
  );
  return found.map(({ n }) => `${columns[n]?.table}.${columns[n]?.column}`);
}
