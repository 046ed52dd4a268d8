import { Prisma, type Tx } from "#lib/db.ts";
import { isRenamed, renamed, type HandleChange } from "#lib/hosts/handle-changes.ts";

/** A standing of the new handle stays; trust in a handle that is blocked ends. */
export async function renameStandings(tx: Tx, change: HandleChange): Promise<void> {
  const column = Prisma.sql`author_key`;
  await tx.$executeRaw`
    INSERT INTO author_standing (author_key, standing, set_by, set_at)
    SELECT ${renamed(column, change)}, standing, set_by, set_at FROM author_standing
     WHERE ${isRenamed(column, change)} AND NOT (standing = 'trusted' AND user_blocked(${renamed(column, change)}))
     ORDER BY 1
    ON CONFLICT (author_key) DO NOTHING`;
  await tx.$executeRaw`DELETE FROM author_standing WHERE ${isRenamed(column, change)}`;
}
