import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";

/*
 * Compares schema.prisma with the migrated database; partial indexes, triggers and functions have no syntax
 * in it.
 */

function databaseType(scalar: string, attributes: string): string {
  const native = /@db\.(\w+)(?:\((\d+)\))?/.exec(attributes);
  if (native?.[1] === "Timestamptz") return `timestamp(${native[2]}) with time zone`;
  if (native?.[1] === "Timestamp") return `timestamp(${native[2]}) without time zone`;
  if (native?.[1] === "SmallInt") return "smallint";
  if (native?.[1] === "Real") return "real";
  if (native?.[1] === "Uuid") return "uuid";
  if (native?.[1] === "Date") return "date";
  const plain: Record<string, string> = {
    Int: "integer",
    BigInt: "bigint",
    String: "text",
    Boolean: "boolean",
    Bytes: "bytea",
    Json: "jsonb",
    Float: "double precision",
    DateTime: "timestamp(3) with time zone",
    'Unsupported("tsvector")': "tsvector",
  };
  return plain[scalar] ?? scalar.replace(/^Unsupported\("(.*)"\)$/, "$1");
}

/** `@default(…)` of a column, also with brackets and quotes inside. */
function defaultOf(attributes: string): string | undefined {
  return /@default\((.*?)\)(?= @|$)/.exec(attributes.trim())?.[1]?.replaceAll('\\"', '"');
}

/** A default of the database in the form of schema.prisma. */
function databaseDefault(expression: string): string {
  if (/^ARRAY\[\]::|^'\{\}'::.*\[\]$/.test(expression)) return "[]";
  const [, literal] = /^'([^']*)'::(?:text|jsonb)$/.exec(expression) ?? [];
  if (literal !== undefined) return `"${literal}"`;
  return /^(?:true|false|[\d.]+|now\(\)|autoincrement\(\))$/.test(expression)
    ? expression
    : `dbgenerated("${expression}")`;
}

/** Columns as `table.column type null? = default`. */
function columnsOfSchema(): string[] {
  const text = readFileSync("prisma/schema.prisma", "utf8");
  const models = new Set([...text.matchAll(/^model (\w+) \{/gm)].map(([, name]) => name as string));
  return [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].flatMap(([, table, body]) =>
    [...(body ?? "").matchAll(/^ {2}(\w+)\s+(Unsupported\("[^"]*"\)|\w+)(\[\]|\?)?(.*)$/gm)].flatMap(
      ([, column, scalar, mark, attributes]) => {
        if (models.has(scalar as string)) return [];
        const type = databaseType(scalar as string, attributes ?? "") + (mark === "[]" ? "[]" : "");
        const initial = defaultOf(attributes ?? "");
        const suffix = initial === undefined ? "" : ` = ${initial}`;
        return [`${table}.${column} ${type}${mark === "?" ? " null" : ""}${suffix}`];
      },
    ),
  );
}

describe("schema.prisma", () => {
  it("has the columns of the migrated database, and their defaults", async () => {
    const rows = await db.$queryRaw<{ line: string; initial: string | null }[]>`
      SELECT c.relname || '.' || a.attname || ' ' || replace(format_type(a.atttypid, a.atttypmod), '(6)', '')
             || CASE WHEN a.attnotnull THEN '' ELSE ' null' END AS line,
             CASE WHEN a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%' THEN 'autoincrement()'
                  ELSE pg_get_expr(d.adbin, d.adrelid) END AS initial
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum AND a.attgenerated = ''
       WHERE c.relkind = 'r' AND c.relname <> 'schema_migration'`;
    const columns = rows.map(({ line, initial }) =>
      initial === null ? line : `${line} = ${databaseDefault(initial)}`,
    );
    expect(columnsOfSchema().sort()).toEqual(columns.sort());
  });
});
