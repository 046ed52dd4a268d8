import { Prisma, type Tx, db } from "#lib/db.ts";

/** A correction of stored handles, after the domain of a server became known. */
export interface HandleChange {
  id: number;
  /** `@host` for all accounts of a host, or one `user@host`, in lower case. */
  before: string;
  after: string;
  /** Host of the stored posts (`post.instance`). */
  host: string;
  /** Block lists and other settings have the new handles. */
  started: boolean;
}

export async function isHandleChangeOpen(): Promise<boolean> {
  return (await db.handle_change.findFirst({ select: { id: true } })) !== null;
}

/** Locked until the transaction ends; null when none is open or another process works on it. */
export async function lockHandleChange(tx: Tx): Promise<HandleChange | null> {
  const rows = await tx.$queryRaw<HandleChange[]>`
    SELECT id, before, after, host, started FROM handle_change ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;
  return rows[0] ?? null;
}

export async function noteHandleChangeStarted(tx: Tx, id: number): Promise<void> {
  await tx.handle_change.update({ where: { id }, data: { started: true }, select: { id: true } });
}

export async function endHandleChange(tx: Tx, id: number): Promise<void> {
  await tx.handle_change.delete({ where: { id }, select: { id: true } });
}

/** One account, whose own WebFinger names an actor on `host`. */
export async function addHandleChange(before: string, after: string, host: string): Promise<void> {
  await db.handle_change.createMany({ data: [{ before, after, host }], skipDuplicates: true });
}

/** Whether a column with `user@host` is renamed. */
export function isRenamed(column: Prisma.Sql, { before }: HandleChange): Prisma.Sql {
  return before.startsWith("@")
    ? Prisma.sql`right(${column}, ${before.length}::int) = ${before}`
    : Prisma.sql`${column} = ${before}`;
}

export function renamed(column: Prisma.Sql, { before, after }: HandleChange): Prisma.Sql {
  return Prisma.sql`left(${column}, length(${column}) - ${before.length}::int) || ${after}::text`;
}

export function hostAfter({ after }: HandleChange): string {
  return after.slice(after.lastIndexOf("@") + 1);
}
