import type { z } from "zod";
import { db, type Tx } from "./db.ts";

/**
 * A row of the table `setting`: an object that a room names and parses. Without a row the defaults of the schema apply.
 */
export function setting<T extends z.ZodType>(name: string, schema: T) {
  type Value = z.output<T>;
  const parse = (row: { value: unknown } | null | undefined): Value => schema.parse(row?.value ?? {});
  return {
    async read(tx: Tx = db): Promise<Value> {
      return parse(await tx.setting.findUnique({ where: { name } }));
    },
    /** With the times of the row. For settings whose row the migration writes. */
    async readRow(tx: Tx = db): Promise<{ value: Value; created_at: Date; updated_at: Date }> {
      const row = await tx.setting.findUniqueOrThrow({ where: { name } });
      return { ...row, value: parse(row) };
    },
    /** Reads the value and locks its row until the transaction ends. Makes a missing row. */
    async lock(tx: Tx): Promise<Value> {
      const rows = await tx.$queryRaw<{ value: unknown }[]>`
        INSERT INTO setting AS s (name) VALUES (${name}) ON CONFLICT (name) DO UPDATE SET value = s.value RETURNING value`;
      return parse(rows[0]);
    },
    /** Replaces these keys of the value. */
    async set(part: Partial<Value>, tx: Tx = db): Promise<void> {
      await tx.$executeRaw`
        INSERT INTO setting AS s (name, value) VALUES (${name}, ${JSON.stringify(part)}::jsonb)
        ON CONFLICT (name) DO UPDATE SET value = s.value || excluded.value, updated_at = now()`;
    },
  };
}
